#!/usr/bin/env bash
# Draw the test flat on this machine's EGL device and on Mesa's software rasteriser; print both drivers and speeds, compare instance ids up to edges.
# Usage: bench/gpu.sh [python]. Exit status 0 when the ids agree. Needs moderngl, numpy, pillow; the software side needs libegl-mesa0 and libgl1-mesa-dri.
set -euo pipefail
cd "$(dirname "$0")/.."
python="${1:-$(command -v .venv/bin/python || command -v python3)}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

mesa_json=""
for candidate in /usr/share/glvnd/egl_vendor.d/50_mesa.json /etc/glvnd/egl_vendor.d/50_mesa.json; do
  if [ -f "$candidate" ]; then mesa_json="$candidate"; fi
done

software() {
  if [ -n "$mesa_json" ]; then export __EGL_VENDOR_LIBRARY_FILENAMES="$mesa_json"; fi
  LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=llvmpipe "$@"
}

echo "== this machine's EGL"
"$python" -m bench.pictures --pictures "${PICTURES:-60}"
"$python" -m bench.picture_ids write "$work/here.npz"
echo "== software"
reference="${REFERENCE:-$work/software.npz}"
if [ ! -f "$reference" ]; then (software "$python" -m bench.picture_ids write "$reference"); fi
echo "== ids"
"$python" -m bench.picture_ids compare "$reference" "$work/here.npz"
