// Leaving the interpreter for a long call, entering it for a callback, and both while Python shuts down.
//
// Python ends at its own pace: when the main thread is done, daemon threads may still be inside the kernel. A thread
// that takes the interpreter lock after Py_Finalize has begun is ended by pthread_exit (Python 3.14 suspends it), which
// unwinds the kernel's frames by force; their destructors would ask for the lock again, and std::terminate follows. So:
//
// 1. `end_calls`, which atexit calls while the interpreter still works, asks the calls of all other threads to end and
//    waits for them. They raise SystemExit, which ends a thread without a message. No new call begins.
// 2. A thread that is still inside a call after that (in a callback of its caller that does not return) never enters
//    the interpreter again: it sleeps until the process ends.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

#include "kernel/errors.hpp"

namespace flipdrop::binding {

namespace nb = nanobind;

/// The long calls of all threads: one object for a process, as there is one interpreter.
class LongCalls {
public:
    static LongCalls& all() {
        static LongCalls calls;
        return calls;
    }

    /// Throws SystemExit where `end` has asked this thread to end its calls. The caller holds the interpreter lock.
    void check() const {
        if (!ending_.load() || is_ending_thread()) return;
        PyErr_SetNone(PyExc_SystemExit);
        nb::raise_python_error();
    }
    void enter() {
        check();
        ++under_way_;
    }
    void leave() { --under_way_; }

    /// Asks the calls of other threads to end, and waits for them. The caller holds the interpreter lock.
    void end() {
        ending_thread_ = std::this_thread::get_id();
        ending_ = true;
        PyThreadState* const state = PyEval_SaveThread();
        const auto last = std::chrono::steady_clock::now() + kGrace;
        while (under_way_.load() > 0 && std::chrono::steady_clock::now() < last)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        PyEval_RestoreThread(state);
    }

    /// In the child of a fork there is one thread, and no call under way on any other.
    void forget() { under_way_ = 0; }

    /// Whether this thread must not enter the interpreter any more.
    bool is_too_late() const {
#if PY_VERSION_HEX >= 0x030d0000
        const bool finalizing = Py_IsFinalizing() != 0;
#else
        const bool finalizing = _Py_IsFinalizing() != 0;
#endif
        return finalizing && !is_ending_thread();
    }

private:
    /// Searches ask about every 50 ms whether to end; a callback in Python may take longer.
    static constexpr auto kGrace = std::chrono::seconds(2);

    bool is_ending_thread() const { return ending_.load() && ending_thread_ == std::this_thread::get_id(); }

    std::atomic<int> under_way_{0};
    std::atomic<bool> ending_{false};
    std::thread::id ending_thread_;  // written once, before `ending_`
};

/// At the end of its scope, suspends a thread that Python is ending by unwinding its stack. It stands last before every
/// call into Python, so that nothing else is unwound.
class SuspendedAtExit {
public:
    SuspendedAtExit() = default;
    SuspendedAtExit(const SuspendedAtExit&) = delete;
    SuspendedAtExit& operator=(const SuspendedAtExit&) = delete;
    ~SuspendedAtExit() { suspend_if_too_late(); }

    static void suspend_if_too_late() {
        while (LongCalls::all().is_too_late()) std::this_thread::sleep_for(std::chrono::hours(1));
    }
};

/// Without the interpreter lock, for a long call of the kernel; like nb::gil_scoped_release.
class Unlocked {
public:
    Unlocked() {
        LongCalls::all().enter();
        state_ = PyEval_SaveThread();
    }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;
    ~Unlocked() {
        SuspendedAtExit::suspend_if_too_late();
        {
            const SuspendedAtExit suspended;
            PyEval_RestoreThread(state_);
        }
        LongCalls::all().leave();
    }

private:
    PyThreadState* state_;
};

/// With the interpreter lock, for a call into Python from any thread; like nb::gil_scoped_acquire.
class Locked {
public:
    Locked() {
        SuspendedAtExit::suspend_if_too_late();
        const SuspendedAtExit suspended;
        state_ = PyGILState_Ensure();
    }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;
    ~Locked() {
        SuspendedAtExit::suspend_if_too_late();
        PyGILState_Release(state_);
    }

private:
    PyGILState_STATE state_;
};

/// A mutex of an object that one call at a time can use. A callback of that call that uses the object would wait for
/// itself: it gets an error instead.
class OneCallMutex {
public:
    void lock() {
        if (owner_.load() == std::this_thread::get_id())
            throw Error("a callback cannot use the solver or engine whose call it belongs to; it needs one of its own");
        mutex_.lock();
        owner_ = std::this_thread::get_id();
    }
    void unlock() {
        owner_ = std::thread::id{};
        mutex_.unlock();
    }

private:
    std::mutex mutex_;
    std::atomic<std::thread::id> owner_;
};

/// Calls a Python function. The caller holds the interpreter lock.
template <class... Arguments>
nb::object call_python(nb::handle function, Arguments&&... arguments) {
    const SuspendedAtExit suspended;
    return function(std::forward<Arguments>(arguments)...);
}

}  // namespace flipdrop::binding
