"""The vocabulary for declaring element classes, and the library that finds the classes."""
