"""The vocabulary of compiled objects: names and text in C, the manifest, the devices that a router makes."""
