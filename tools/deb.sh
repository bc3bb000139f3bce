#!/bin/bash
# deb.sh PYTHON: build a Debian package of clickbpf in dist/, by installing it into a folder.
#
# The package carries the Python packages that clickbpf needs; it depends on the Python that it was built with, and on all
# that tools/deps.sh would install but for what only the demo needs.
set -eu
python=$1
version=$(.venv/bin/python -c 'import clickbpf; print(clickbpf.__version__)')
minor=$("$python" -c 'import sys; print(sys.version_info.minor)')
architecture=$(dpkg --print-architecture)
package=dist/clickbpf_${version}_$architecture.deb

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
tools/install.sh install "$python" /usr "$root" >/dev/null
mkdir -p "$root/DEBIAN" "$root/usr/share/doc/clickbpf" dist
mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
gzip -9n "$root/usr/share/man/man1/clickbpf.1"
cp README.md "$root/usr/share/doc/clickbpf/"
cp LICENSE "$root/usr/share/doc/clickbpf/copyright"
cp -r configs "$root/usr/share/doc/clickbpf/examples"

cat >"$root/DEBIAN/control" <<END
Package: clickbpf
Version: $version
Architecture: $architecture
Maintainer: clickbpf authors
Section: net
Priority: optional
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f1)
Depends: python3 (>= 3.$minor), python3 (<< 3.$((minor + 1))), $(tools/deps.sh list | paste -sd, | sed 's/,/, /g')
Description: Click routers in the Linux kernel and in user space
 Compiles configurations of the Click modular router to XDP programs
 and an AF_XDP runtime, and runs them.
END

# What runs of it ends with it: programs on devices would stay without the command that takes them off.
cat >"$root/DEBIAN/prerm" <<'END'
#!/bin/sh
set -e
if [ "$1" = remove ]; then
	clickbpf unload --all
fi
END
# What Python and pytest have compiled beside the package's files is in no list of dpkg's.
cat >"$root/DEBIAN/postrm" <<'END'
#!/bin/sh
set -e
if [ "$1" = remove ] || [ "$1" = purge ]; then
	rm -rf /usr/lib/clickbpf
fi
END
chmod 755 "$root/DEBIAN/prerm" "$root/DEBIAN/postrm"

# xz takes minutes for the libraries of the Python packages, gzip half a minute for a larger archive.
dpkg-deb -Zzstd -z3 --root-owner-group --build "$root" "$package" >/dev/null
echo "$package"
