// What closes a nose pod from below: four screws from under it, feet in their hollows. A tall pod tips when it is
// hit beside its middle: screw or clamp it to a board, or glue a weight on; `-D flange=12` gives it ears for screws.
include <common.scad>

size = 64;         // of nose_pod.scad
thick = 4;
feet = 10;         // of round rubber feet
hollow = 1;        // what they sink in
flange = 0;        // how far ears for a table's screws stand out; 0 for none
head = 6.4;        // of the screws that hold the pod

screws = size - 10;
assert(flange == 0 || flange >= 10, "An ear needs 10 mm for its screw.");

difference() {
    linear_extrude(thick) difference() {
        union() {
            outline([size, size], 8);
            if (flange > 0) outline([size + 2 * flange, 20], 6);
        }
        at_corners(screws, screws) circle(d = screw_through);
        if (flange > 0) for (side = [-1, 1]) translate([side * (size / 2 + flange / 2), 0]) circle(d = 4.2);
    }
    // This side lies on the bed and is the underside: room for the screws' heads, and for the feet.
    at_corners(screws, screws) translate([0, 0, -0.01]) cylinder(d1 = head, d2 = screw_through, h = 1.6);
    for (turn = [0, 180]) rotate(turn) for (side = [-1, 1])
        translate([side * 18, 18, -0.01]) cylinder(d = feet + clearance, h = hollow + 0.01);
}
