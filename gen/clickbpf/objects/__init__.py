"""Parts of compiled objects that several stages know: names and text in C, the manifest, the devices that a router creates."""
