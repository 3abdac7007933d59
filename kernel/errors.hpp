// Exceptions for wrong arguments. Each becomes a Python exception of the same name.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace flipdrop {

/// A caller's text for a message: in quotes, cut if it is long, control characters as escape sequences.
inline std::string quoted(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    constexpr std::size_t kLongest = 60;
    std::string shown = "'";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool begins_character = (byte & 0xc0) != 0x80;
        if (shown.size() > kLongest && begins_character) return shown + "…'";
        if (byte >= 0x20 && byte != 0x7f) {
            shown += c;
        } else {
            shown += "\\x";
            shown += kDigits[byte >> 4];
            shown += kDigits[byte & 15];
        }
    }
    return shown + "'";
}

/// The character of UTF-8 text that begins at `at`, all of its bytes.
inline std::string_view whole_character(std::string_view text, std::size_t at) {
    std::size_t end = at + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
    return text.substr(at, end - at);
}

struct Error : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};
struct IllegalMove : Error {
    using Error::Error;
};
struct IllegalPosition : Error {
    using Error::Error;
};

/// Throws Error unless a setting is in its range; NaN is in none.
template <class Number>
void check_range(const char* name, Number value, Number lowest, Number highest) {
    if (value >= lowest && value <= highest) return;
    const auto text = [](Number number) {
        if constexpr (std::is_integral_v<Number>) {
            return std::to_string(number);
        } else {
            char digits[32];
            std::snprintf(digits, sizeof digits, "%g", static_cast<double>(number));
            return std::string(digits);
        }
    };
    throw Error(std::string(name) + " is " + text(value) + "; it can be " + text(lowest) + " to " + text(highest));
}

}  // namespace flipdrop
