// Numbers from Python: one that the kernel's type cannot hold is a FlipdropError, as one outside of a setting's range
// is. nanobind's own conversion refuses it as an argument of a wrong type. Every file of the binding includes this one
// before its first bound function, so that all of them convert alike.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "kernel/errors.hpp"

namespace flipdrop::binding {

namespace nb = nanobind;

/// A whole number of Python. Beyond the 64 bits it is the nearest number within them, and `fits` is false.
struct WholeNumber {
    std::int64_t value = 0;
    std::uint64_t unsigned_value = 0;  ///< of numbers that are not negative
    bool fits = false;                 ///< in `value`
    bool fits_unsigned = false;        ///< in `unsigned_value`

    /// False if the object is not a whole number. Never leaves a Python exception behind.
    bool load(PyObject* object, bool convert) noexcept {
        if (PyLong_CheckExact(object)) return load_long(object);
        if (!convert || !PyIndex_Check(object)) return false;
        PyObject* const number = PyNumber_Index(object);
        if (number == nullptr) {
            PyErr_Clear();
            return false;
        }
        const bool loaded = load_long(number);
        Py_DECREF(number);
        return loaded;
    }

    [[nodiscard]] std::string text() const {
        if (fits) return std::to_string(value);
        if (fits_unsigned) return std::to_string(unsigned_value);
        return value < 0 ? "less than -2^63" : "2^64 or more";
    }

private:
    bool load_long(PyObject* number) noexcept {
        int overflow = 0;
        value = PyLong_AsLongLongAndOverflow(number, &overflow);
        fits = overflow == 0;
        fits_unsigned = fits && value >= 0;
        unsigned_value = static_cast<std::uint64_t>(value);
        if (fits) return true;
        value = overflow < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
        if (overflow > 0) {
            unsigned_value = PyLong_AsUnsignedLongLong(number);
            fits_unsigned = PyErr_Occurred() == nullptr;
            PyErr_Clear();
        }
        return true;
    }
};

/// The number of a move, legal or not; True and False are none.
struct MoveNumber {
    WholeNumber number;

    /// Throws IllegalMove if no game has such a move.
    [[nodiscard]] int checked() const {
        if (!number.fits || number.value != static_cast<int>(number.value))
            throw IllegalMove("move number " + number.text() + " is no move of any game");
        return static_cast<int>(number.value);
    }
};

/// Converts a whole number to a type of the kernel. An argument that does not fit throws when the function is called,
/// where nanobind translates exceptions; an element of a list that does not fit is of a wrong type.
template <class Integer>
struct IntegerCaster {
    static constexpr auto Name = nb::detail::const_name("int");
    template <class>
    using Cast = Integer;

    bool from_python(nb::handle source, std::uint32_t flags, nb::detail::cleanup_list*) noexcept {
        return number_.load(source.ptr(), (flags & nb::detail::cast_flags::convert) != 0);
    }
    static nb::handle from_cpp(Integer value, nb::rv_policy, nb::detail::cleanup_list*) noexcept {
        if constexpr (std::is_signed_v<Integer>)
            return PyLong_FromLongLong(value);
        else
            return PyLong_FromUnsignedLongLong(value);
    }
    template <class>
    [[nodiscard]] bool can_cast() const noexcept {
        if constexpr (std::is_signed_v<Integer>)
            return number_.fits && number_.value == static_cast<Integer>(number_.value);
        else
            return number_.fits_unsigned && number_.unsigned_value == static_cast<Integer>(number_.unsigned_value);
    }
    explicit operator Integer() const {
        using Limits = std::numeric_limits<Integer>;
        if (!can_cast<Integer>())
            throw Error(number_.text() + " is out of range; numbers here are " + std::to_string(Limits::min()) +
                        " to " + std::to_string(Limits::max()));
        return std::is_signed_v<Integer> ? static_cast<Integer>(number_.value)
                                         : static_cast<Integer>(number_.unsigned_value);
    }

private:
    WholeNumber number_;
};

}  // namespace flipdrop::binding

namespace nanobind::detail {

template <>
struct type_caster<int> : flipdrop::binding::IntegerCaster<int> {};
template <>
struct type_caster<unsigned> : flipdrop::binding::IntegerCaster<unsigned> {};
template <>
struct type_caster<long> : flipdrop::binding::IntegerCaster<long> {};
template <>
struct type_caster<unsigned long> : flipdrop::binding::IntegerCaster<unsigned long> {};
template <>
struct type_caster<long long> : flipdrop::binding::IntegerCaster<long long> {};
template <>
struct type_caster<unsigned long long> : flipdrop::binding::IntegerCaster<unsigned long long> {};

/// A whole number may be too large for a double.
template <>
struct type_caster<double> {
    static constexpr auto Name = const_name("float");
    template <class>
    using Cast = double;

    bool from_python(handle source, std::uint32_t flags, cleanup_list*) noexcept {
        PyObject* const object = source.ptr();
        if (PyFloat_CheckExact(object)) {
            value_ = PyFloat_AS_DOUBLE(object);
            return true;
        }
        if ((flags & cast_flags::convert) == 0) return false;
        value_ = PyFloat_AsDouble(object);
        if (PyErr_Occurred() == nullptr) return true;
        fits_ = PyErr_ExceptionMatches(PyExc_OverflowError) == 0;
        PyErr_Clear();
        return !fits_;
    }
    static handle from_cpp(double value, rv_policy, cleanup_list*) noexcept { return PyFloat_FromDouble(value); }
    template <class>
    [[nodiscard]] bool can_cast() const noexcept {
        return fits_;
    }
    explicit operator double() const {
        if (!fits_) throw flipdrop::Error("a number is too large for 64 bits of floating point");
        return value_;
    }

private:
    double value_ = 0.0;
    bool fits_ = true;
};

template <>
struct type_caster<flipdrop::binding::MoveNumber> {
    NB_TYPE_CASTER(flipdrop::binding::MoveNumber, const_name("int"))

    bool from_python(handle source, std::uint32_t flags, cleanup_list*) noexcept {
        return !PyBool_Check(source.ptr()) && value.number.load(source.ptr(), (flags & cast_flags::convert) != 0);
    }
};

}  // namespace nanobind::detail
