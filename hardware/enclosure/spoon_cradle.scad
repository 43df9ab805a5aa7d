// A cradle for one spoon: its handle rests in the trough, a magnet glued under it over the reed in the slot below.
// The spoon at rest holds the reed closed; taking it is the edge that counts.
// `-D door=1`: for a door contact with leads (MC-38) and its own magnet, for tables that are not soldered.
include <common.scad>

door = 0;
length = 110;
width = 44;
height = 20;
trough_radius = 18;
trough_depth = 7;
floor_over_reed = 2;  // less breaks through, more weakens the magnet
reed_length = door == 0 ? 18 : 28.6;  // a 14 mm reed with room for its bent ends; a door contact is 27 × 14 × 8 mm
reed_width = door == 0 ? 5 : 14.6;

assert(floor_over_reed >= 2, "The floor over the reed must be 2 mm at least.");
slot_height = height - trough_depth - floor_over_reed;
assert(slot_height >= 4, "There must be 4 mm below the floor for the reed and its wires.");

difference() {
    plate([length, width, height]);
    // the trough, along the spoon
    translate([0, 0, height - trough_depth + trough_radius]) rotate([0, 90, 0])
        cylinder(r = trough_radius, h = length + 2, center = true, $fn = 96);
    // the reed, from below, under the spoon's magnet
    translate([-reed_length / 2, -reed_width / 2, -1]) cube([reed_length, reed_width, slot_height + 1]);
    // the cable's way out to the side
    translate([0, -cable / 2, -1]) cube([length / 2 + 1, cable, cable + 1]);
    // room to solder at the end of the reed
    translate([reed_length / 2 - 1, -6, -1]) cube([10, 12, 7]);
    // three screws from below the table top
    translate([14 - length / 2, 0, -1]) cylinder(d = screw_pilot, h = 9);
    for (side = [-1, 1]) translate([length / 2 - 14, side * (width / 2 - 8), -1]) cylinder(d = screw_pilot, h = 9);
}
