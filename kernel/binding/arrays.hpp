// NumPy arrays for Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace flipdrop::binding {

namespace nb = nanobind;

template <class Number>
using Array = nb::ndarray<nb::numpy, Number, nb::c_contig>;
template <class Number>
using Input = nb::ndarray<const Number, nb::c_contig, nb::device::cpu>;

/// A vector as a NumPy array that owns it.
template <class Number>
Array<Number> as_array(std::vector<Number> numbers, std::initializer_list<std::size_t> shape) {
    auto kept = std::make_unique<std::vector<Number>>(std::move(numbers));
    nb::capsule owner(kept.get(), [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
    return Array<Number>(kept.release()->data(), shape, owner);
}

/// A NumPy array whose numbers are not set yet.
template <class Number>
Array<Number> new_array(std::initializer_list<std::size_t> shape) {
    std::size_t size = 1;
    for (const std::size_t side : shape) size *= side;
    auto numbers = std::make_unique_for_overwrite<Number[]>(size);
    nb::capsule owner(numbers.get(), [](void* p) noexcept { delete[] static_cast<Number*>(p); });
    return Array<Number>(numbers.release(), shape, owner);
}

}  // namespace flipdrop::binding
