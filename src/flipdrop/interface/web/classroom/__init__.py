"""A class: students upload agents, which a job places on the ladder and plays against each other."""
