// Detects whether this CPU can run the x86-64-v3 build of the kernel. Compiled for any CPU and without nanobind,
// because it is imported before either build.
#include <Python.h>

namespace {

bool has_v3() {
#if (defined(__x86_64__) || defined(__amd64__)) && (defined(__GNUC__) || defined(__clang__))
    __builtin_cpu_init();
    // Every CPU with all of these also has F16C, LZCNT and MOVBE.
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("fma") && __builtin_cpu_supports("popcnt");
#else
    return false;
#endif
}

PyObject* has_v3_object(PyObject*, PyObject*) {
    return PyBool_FromLong(has_v3());
}

PyMethodDef methods[] = {
    {"has_v3", has_v3_object, METH_NOARGS, "has_v3() -> bool\n\nWhether this CPU runs code compiled for x86-64-v3."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_cpu", nullptr, 0, methods, nullptr, nullptr, nullptr, nullptr,
};

}  // namespace

PyMODINIT_FUNC PyInit__cpu() {
    return PyModule_Create(&definition);
}
