"""The pages. Each module mounts its own routes: ``mount(manager)``."""
