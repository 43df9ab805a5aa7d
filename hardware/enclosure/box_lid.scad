// The lid of the box with the Pi: the OLED's bezel sits on it, beside it the host button, and air goes through.
include <common.scad>

inside = [150, 100];   // of the box
thick = 3;
lip = 6;
button = 28;           // the host button
oled = [29, 29.2];     // the hole behind the bezel
oled_screws = [34.6, 34.9];  // those of oled_bezel.scad
oled_at = [-36, 14];
button_at = [44, 14];

outer = [inside.x + 2 * wall, inside.y + 2 * wall];
assert(max(outer) <= 220, "The lid must fit on a bed of 220 mm.");

post = 9;
posts = [inside.x - 16, inside.y - 16];
head = 6.4;            // of their screws, M3 × 10
sunk = 4.4;            // so deep lie the heads that 5 mm of the screw are in the body's post
lipped = [inside.x - 2 * clearance, inside.y - 2 * clearance];

difference() {
    lid();
    // This side lies on the bed and is the outside: room for the screws' heads.
    at_corners(posts.x, posts.y) {
        translate([0, 0, -0.01]) cylinder(d = head, h = sunk + 0.01);
        translate([0, 0, sunk - 0.01]) cylinder(d1 = head, d2 = screw_through, h = 1.6);
    }
}

module lid() {
    linear_extrude(thick) difference() {
        outline(outer);
        translate(oled_at) square(oled, center = true);
        translate(oled_at) at_corners(oled_screws.x, oled_screws.y) circle(d = screw_pilot);
        translate(button_at) circle(d = button + clearance, $fn = 96);
        at_corners(posts.x, posts.y) circle(d = screw_through);
        // air
        for (slot = [-4 : 4]) translate([slot * 9, -34]) hull() {
            translate([0, -7]) circle(d = 3);
            translate([0, 7]) circle(d = 3);
        }
    }
    // the lip goes into the box
    translate([0, 0, thick - 0.01]) linear_extrude(lip) {
        difference() {
            outline(lipped, 2.5);
            outline([lipped.x - 2 * wall, lipped.y - 2 * wall], 1);
        }
        at_corners(posts.x, posts.y) difference() {
            circle(d = post);
            circle(d = screw_through);
        }
    }
}
