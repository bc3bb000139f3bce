"""The vocabulary in which element classes are declared, and the library that finds them."""
