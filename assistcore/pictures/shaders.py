"""GLSL programs. Colours are handled with gamma 2 (square, square root): cheap on a software rasteriser and close to sRGB."""

from __future__ import annotations

from assistcore.pictures.scene import MOST_ROOMS

MAX_ROOMS = MOST_ROOMS
LIGHT_STEPS = (0, 1, 2, 3, 4, 6, 8)
"""Shading programs exist for these numbers of lamps, windows (with small lamps) and sun beams; a room takes the next one up."""

_ITEMS = """#version 430
struct Item { mat4 m; vec4 colour_layer; vec4 look; ivec4 ids; };
layout(std430, binding = 0) readonly buffer Items { Item items[]; };
"""

DEPTH_VERTEX = (
    _ITEMS
    + """
uniform mat4 clip;
in vec3 p; in int item;
invariant gl_Position;
void main() { vec4 w = items[item].m * vec4(p, 1.0); gl_Position = clip * w; }
"""
)

DEPTH_FRAGMENT = "#version 430\nvoid main() {}\n"

HEIGHT_VERTEX = (
    _ITEMS
    + """
uniform mat4 clip;
in vec3 p; in int item;
out float height;
void main() { vec4 w = items[item].m * vec4(p, 1.0); height = w.z; gl_Position = clip * w; }
"""
)

HEIGHT_FRAGMENT = """#version 430
in float height;
layout(location = 0) out float out_height;
void main() { out_height = height; }
"""

ID_VERTEX = (
    _ITEMS
    + """
uniform mat4 clip;
in vec3 p; in int item;
flat out int id; out float plane_depth;
invariant gl_Position;
void main() {
    vec4 w = items[item].m * vec4(p, 1.0);
    gl_Position = clip * w;
    plane_depth = gl_Position.w; id = items[item].ids.x;
}
"""
)

ID_FRAGMENT = """#version 430
flat in int id; in float plane_depth;
layout(location = 0) out int out_id; layout(location = 1) out float out_depth;
void main() { out_id = id; out_depth = plane_depth; }
"""

SCREEN_VERTEX = """#version 430
out vec2 ndc;
void main() { ndc = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0); gl_Position = vec4(ndc, 1.0, 1.0); }
"""

CLEAR_FRAGMENT = """#version 430
layout(location = 0) out int out_id; layout(location = 1) out float out_depth;
void main() { out_id = -1; out_depth = uintBitsToFloat(0x7f800000u); }
"""

SKY_FRAGMENT = """#version 430
in vec2 ndc;
uniform mat3 ray; uniform vec3 sky; uniform float day;
layout(location = 0) out vec4 out_rgb;
void main() {
    vec3 d = normalize(ray * vec3(ndc, 1.0));
    vec3 up = mix(vec3(0.93, 0.96, 0.98), sky * vec3(0.50, 0.70, 0.95), smoothstep(-0.05, 0.55, d.z));
    vec3 down = mix(vec3(0.93, 0.95, 0.95), vec3(0.50, 0.55, 0.44), smoothstep(0.0, 0.22, -d.z));
    vec3 night = vec3(0.05, 0.07, 0.12);
    out_rgb = vec4(sqrt(mix(night * night, d.z > 0.0 ? up * up : down * down, clamp(day, 0.0, 1.0))), 1.0);
}
"""

RESOLVE_FRAGMENT = """#version 430
uniform sampler2D fine;
layout(location = 0) out vec4 out_rgb;
void main() {
    ivec2 q = ivec2(gl_FragCoord.xy) * 2;
    vec3 a = texelFetch(fine, q, 0).rgb, b = texelFetch(fine, q + ivec2(1, 0), 0).rgb;
    vec3 c = texelFetch(fine, q + ivec2(0, 1), 0).rgb, d = texelFetch(fine, q + ivec2(1, 1), 0).rgb;
    out_rgb = vec4(sqrt((a * a + b * b + c * c + d * d) * 0.25), 1.0);
}
"""

SHADE_VERTEX = (
    _ITEMS
    + """
uniform mat4 clip;
in vec3 p; in vec3 n; in vec2 uv; in int item;
#ifdef TINTED
in vec4 tint; out vec3 tinted;
#endif
out vec3 wp; out vec3 wn; out vec3 tc; flat out vec3 base; flat out vec4 look;
invariant gl_Position;
void main() {
    mat4 m = items[item].m;
    vec4 w = m * vec4(p, 1.0);
    gl_Position = clip * w;
    wp = w.xyz; wn = mat3(m) * n;
    tc = vec3(uv, items[item].colour_layer.w); base = items[item].colour_layer.rgb; look = items[item].look;
#ifdef TINTED
    tinted = tint.rgb;
#endif
}
"""
)

SHADE_FRAGMENT = """#version 430
#define MAX_ROOMS @ROOMS
#define LAMPS @LAMPS
#define WINDOWS @WINDOWS
#define BEAMS @BEAMS
struct Room { vec4 height_tile; vec4 span; };
layout(std140, binding = 1) uniform Rooms { Room rooms[MAX_ROOMS]; };
#if LAMPS > 0
struct Lamp { mat4 clip; vec4 place; vec4 rgb; vec4 more; };
layout(std140, binding = 2) uniform LampBlock { Lamp lamps[LAMPS]; };
uniform sampler2DShadow lamp_maps[LAMPS];
#endif
#if WINDOWS > 0
struct Window { vec4 centre; vec4 into; vec4 colour; };
layout(std140, binding = 3) uniform WindowBlock { Window windows[WINDOWS]; };
#endif
#if BEAMS > 0
struct Beam { mat4 clip; vec4 centre; vec4 u; vec4 v; vec4 into; };
layout(std140, binding = 4) uniform BeamBlock { Beam beams[BEAMS]; };
uniform sampler2DShadow beam_maps[BEAMS];
#endif
uniform sampler2DArray albedo; uniform sampler2D heights;
uniform usampler2D room_map; uniform sampler2D wall_map; uniform sampler2DArray field;
uniform vec4 grid; /* origin x, y, 1 / fine cell, */ uniform vec4 plan_uv; /* 1 / plan size x, y */
uniform vec3 eye; uniform vec3 sun; uniform vec3 sun_rgb; uniform float lod_bias;
uniform int lit_room; uniform int only_here; /* the room whose lights are given; paint nothing outside it */
in vec3 wp; in vec3 wn; in vec3 tc; flat in vec3 base; flat in vec4 look;
#ifdef TINTED
in vec3 tinted;
#endif
layout(location = 0) out vec4 out_rgb;

/* How much of a light arrives at q; outside: what holds beyond the edge of the map. */
float shadow(sampler2DShadow map, mat4 clip, vec3 q, float texel, float outside) {
    vec4 c = clip * vec4(q, 1.0);
    vec3 ndc = c.xyz / max(c.w, 1e-4);
    vec2 edge = clamp((0.985 - abs(ndc.xy)) * 5.0, 0.0, 1.0);
    float known = (c.w > 0.0 && ndc.z < 1.0) ? edge.x * edge.y : 0.0;
    vec3 m = ndc * 0.5 + 0.5;
    float lit = texture(map, vec3(m.xy + vec2(-0.35, -1.0) * texel, m.z)) + texture(map, vec3(m.xy + vec2(1.0, 0.2) * texel, m.z))
              + texture(map, vec3(m.xy + vec2(-0.65, 0.8) * texel, m.z));
    return mix(outside, lit * 0.33333, known);
}

/* Highlight of a light in direction l for a mirrored view ray; a fourth of the exponent of a half-vector highlight looks the same. */
float gloss(vec3 mirrored, vec3 l, float shine) {
    return exp2(shine * 0.3607 * (dot(mirrored, l) - 1.0)) * (0.25 + shine * 0.012);
}

void main() {
    vec3 n = normalize(wn), v = normalize(eye - wp);
    if (dot(n, v) < 0.0) n = -n;
    vec3 a = texture(albedo, tc, lod_bias).rgb * base;
#ifdef TINTED
    a *= tinted;
#endif
    a *= a;
    vec2 probe = wp.xy + n.xy * 0.12;
    ivec2 cell = clamp(ivec2((probe - grid.xy) * grid.z), ivec2(0), textureSize(room_map, 0) - 1);
    int r = int(texelFetch(room_map, cell, 0).r);
    if (only_here != 0 && r != lit_room) discard;
    r = lit_room >= 0 ? lit_room : r;
    Room room = rooms[r];

    float wall = texture(wall_map, (wp.xy + n.xy * 0.24 - grid.xy) * plan_uv.xy).r;
    float flat_up = abs(n.z);
    float occ = 1.0 - 0.42 * exp2(-wall * 9.0);
    occ *= 1.0 - (0.34 * exp2(-max(wp.z - room.span.x, 0.0) * 7.0) + 0.30 * exp2(-max(room.span.y - wp.z, 0.0) * 6.0)) * (1.0 - flat_up);
    vec2 hq = (wp.xy + n.xy * 0.07) * room.height_tile.zw + room.height_tile.xy;
    float near_h = textureLod(heights, hq, 1.0).r, wide_h = textureLod(heights, hq, 2.6).r;
    float near_occ = clamp((near_h - wp.z - 0.012) * 9.0, 0.0, 1.0), wide_occ = clamp((wide_h - wp.z - 0.03) * 2.6, 0.0, 1.0);
    occ *= 1.0 - room.span.z * (0.34 * near_occ + 0.30 * wide_occ);

    vec3 soft = texture(field, vec3((probe - grid.xy) * plan_uv.xy, float(r))).rgb;
    float up = n.z * 0.5 + 0.5;
    vec3 light = soft * mix(vec3(0.96, 0.88, 0.79), vec3(1.06, 1.06, 1.08), up) * (0.86 + 0.14 * n.x * n.x) * occ;
    float shine = exp2(10.0 * (1.0 - look.x));
    float facing_eye = dot(n, v), away = 1.0 - facing_eye, away2 = away * away;
    vec3 mirrored = 2.0 * facing_eye * n - v;
    float mirror = 0.04 + 0.5 * away2 * away2 * away;
    vec3 glint = soft * occ * mirror * (1.2 - look.x);

@EACH LAMPS
    {
        vec3 l = lamps[i].place.xyz - wp;
        float d2 = dot(l, l);
        l *= inversesqrt(d2);
        float nl = dot(n, l);
        float s = shadow(lamp_maps[i], lamps[i].clip, wp + n * 0.012, lamps[i].rgb.w, lamps[i].more.y);
        float facing = max(nl * 0.92 + 0.08, 0.0) * (n.z < -0.5 ? 0.45 : 1.0);
        vec3 e = lamps[i].rgb.rgb * (lamps[i].place.w / (d2 + 1.1));
        light += e * facing * mix(lamps[i].more.z, 1.0, s) * (0.55 + 0.45 * occ);
        glint += e * s * step(0.0, nl) * gloss(mirrored, l, shine);
    }
@END
@EACH WINDOWS
    /* Windows, and small lamps, which have no shadow map: into.w says how much a light depends on its direction. */
    {
        vec3 c = windows[i].centre.xyz - wp;
        float d2 = dot(c, c);
        vec3 l = c * inversesqrt(d2);
        float back = max(dot(windows[i].into.xyz, -l), 0.0);
        vec3 e = windows[i].colour.rgb * (mix(1.0, back, windows[i].into.w) / (d2 + windows[i].centre.w));
        light += e * max(dot(n, l) * 0.78 + 0.22, 0.0) * occ * 1.8;
        glint += e * gloss(mirrored, l, min(shine, 60.0)) * 0.5;
    }
@END
@EACH BEAMS
    {
        vec3 c = beams[i].centre.xyz - wp;
        float t = dot(c, -beams[i].into.xyz) / dot(sun, -beams[i].into.xyz);
        vec3 hit = sun * t - c;
        vec2 q = vec2(dot(hit, beams[i].u.xyz), dot(hit, beams[i].v.xyz));
        float blur = 0.012 + 0.010 * t;
        vec2 inside = smoothstep(vec2(-blur), vec2(blur), vec2(beams[i].u.w, beams[i].v.w) - abs(q));
        float beam = t > 0.0 ? inside.x * inside.y * max(dot(n, sun), 0.0) : 0.0;
        beam *= shadow(beam_maps[i], beams[i].clip, wp + n * 0.008, beams[i].centre.w, 1.0);
        light += sun_rgb * beam;
        glint += sun_rgb * beam * gloss(mirrored, sun, shine);
    }
@END
    vec3 c = a * light + glint * look.y + a * look.z * 2.0;
    c = mix(vec3(dot(c, vec3(0.30, 0.55, 0.15))), c, 0.90) * 1.06;
    c = clamp((c * (2.51 * c + 0.03)) / (c * (2.43 * c + 0.59) + 0.14), 0.0, 1.0);
    out_rgb = vec4(sqrt(c), look.w);
}
"""


def shading(lamps: int, windows: int, beams: int, *, tinted: bool) -> tuple[str, str]:
    """Vertex and fragment source for so many lights; tinted is for vertices that carry a colour.

    The numbers are compiled in and the lights written out one by one: a software rasteriser runs every branch and reads an indexed light
    lane by lane, and Mesa 22.3 crashes on a sampler that is indexed in a loop which it did not unroll.
    """
    counts = {"LAMPS": lamps, "WINDOWS": windows, "BEAMS": beams}
    fragment = SHADE_FRAGMENT.replace("@ROOMS", str(MAX_ROOMS))
    for name, count in counts.items():
        before, rest = fragment.split(f"@EACH {name}\n")
        body, after = rest.split("@END\n", 1)
        fragment = before + "".join(body.replace("[i]", f"[{k}]") for k in range(count)) + after
        fragment = fragment.replace(f"@{name}", str(count))
    head = "#version 430\n"
    tint = "#define TINTED\n" if tinted else ""
    return SHADE_VERTEX.replace(head, head + tint, 1), fragment.replace(head, head + tint, 1)
