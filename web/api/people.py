"""The calls about people and devices: sit down, leave, host, and what a host decides about all of them."""

from __future__ import annotations

from flask import Response
from lastnose.companion.core.errors import Missing
from lastnose.companion.core.text import english, text
from lastnose.companion.evening import lobby
from lastnose.companion.evening.authors import given_name
from lastnose.companion.evening.lobby import Guest, Guests
from lastnose.companion.views.lobby import LobbyView
from lastnose.web import auth
from lastnose.web.access import NotAllowed
from lastnose.web.api.endpoint import call
from lastnose.web.api.requests import DeviceChange, GuestList, PhoneName, PinTry, SeatWish
from lastnose.web.api.responses import DeviceList, DeviceView, Joined, Named, OwnSeat, Pin
from lastnose.web.context import WebContext
from lastnose.web.devices import KnownDevice
from lastnose.web.heavy import qr_code


@call("POST", "/join", Joined, takes=PinTry, like={"pin": "2718"})
def join(wish: PinTry) -> Joined:
    """Let a device host, with the PIN or the secret of the terminal's QR code; the answer sets its cookie."""
    return Joined(auth.become_host(wish.pin))


@call("GET", "/seat", OwnSeat)
def seat() -> OwnSeat:
    """Return the seat of the device that asks; empty when it has none."""
    guest = auth.my_guest()
    return OwnSeat() if guest is None else _seated(guest)


@call("POST", "/seat", OwnSeat, takes=SeatWish, like={"name": "Zoë"}, by_token=False)
def sit(wish: SeatWish) -> OwnSeat:
    """Sit down under a name, and be a player; or, seated, sit at another place before the first deal."""
    house = WebContext.here()
    device, mine = auth.know_device(), auth.my_guest()
    if wish.at and mine is not None:
        if house.table.snapshot.phase not in ("setup", "won"):
            raise NotAllowed(text("A game goes on: a host can seat you elsewhere."))
        auth.the_access().devices.change(lambda all_: lobby.moved(all_, mine.id, wish.at - 1))
        return _seated(mine)
    guest, waits = house.lobby.sit_down(wish.name, device)
    if guest is None:
        return OwnSeat(name=wish.name.strip(), asks=True)
    return OwnSeat(guest.id, guest.name, guest.line, waits)


@call("POST", "/leave", OwnSeat, needs="player", by_token=False)
def leave() -> OwnSeat:
    """Leave the table, with the seat of this device: at once, or when the round under way is over."""
    WebContext.here().lobby.leave(auth.visitor().device)
    guest = auth.my_guest()
    return OwnSeat() if guest is None else _seated(guest)


def _seated(guest: Guest) -> OwnSeat:
    view = next((one for one in WebContext.here().lobby.shown.guests if one.id == guest.id), None)
    return OwnSeat(guest.id, guest.name, guest.line, view is not None and view.waits)


@call("POST", "/lobby", LobbyView, takes=GuestList, needs="host", like={"guests": [{"name": "North"}]})
def arrange(wish: GuestList) -> LobbyView:
    """Say who sits at the table, in order; who has come by phone meanwhile stays, behind them."""
    house, devices = WebContext.here(), auth.the_access().devices
    ids = devices.new_ids(len(wish.guests))
    removed = {*wish.removed, *wish.gone}

    def how(guests: Guests) -> Guests:
        stay = tuple(one for one in guests if one.id not in removed or one.plays)
        return lobby.arranged(stay, [(one.id, one.name) for one in wish.guests], ids)

    devices.change(how)
    return house.lobby.shown


@call("GET", "/devices", DeviceList, needs="host")
def devices() -> DeviceList:
    """Return every device that hosts, plays or has a page open, and how it is."""
    return _listed()


@call(
    "POST", "/devices", DeviceList, takes=DeviceChange, needs="host", may_miss=True, like={"device": "3f9a12"}
)
def change(wish: DeviceChange) -> DeviceList:
    """Change what a device may do, at once: its role, its name, the seat it has; or put it out."""
    house, known = WebContext.here(), auth.the_access().devices
    if wish.device not in {one.id for one in known.all()}:
        raise Missing(text("This table knows no phone {phone}.", phone=wish.device[:40]))
    if any(one.id == wish.device and one.home for one in known.all()) and (wish.remove or wish.role):
        raise NotAllowed(english("The table’s own machine always hosts."))
    if wish.remove:
        known.remove(wish.device)
        return _listed()
    if wish.name is not None:
        known.rename(wish.device, wish.name)
    if wish.seat is not None:
        house.lobby.hand_over(wish.seat, wish.device)  # "": nobody's, it asked in vain
    if wish.role == "host":
        known.make_host(wish.device)
    elif wish.role is not None:
        known.no_host(wish.device)
        if wish.role == "watcher":
            known.change(lambda guests: lobby.unseated(guests, wish.device))
        elif known.guest(wish.device) is None:
            house.lobby.sit_down(known.name(wish.device) or wish.device, wish.device)
    return _listed()


def _listed() -> DeviceList:
    house, known = WebContext.here(), auth.the_access().devices
    return DeviceList(tuple(_view(house, one) for one in known.all()))


def _view(house: WebContext, one: KnownDevice) -> DeviceView:
    guests = auth.the_access().devices.guests
    place = next((n for n, guest in enumerate(guests, 1) if guest.device == one.id), 0)
    line = guests[place - 1].line if place else ""
    phone = next((phone for phone in house.pages.phones if line and phone.line == line), None)
    return DeviceView(
        id=one.id,
        role=one.role,
        name=one.name,
        since=one.since,
        home=one.home,
        pages=one.pages,
        mine=one.id == auth.visitor().device,
        seat=place,
        rtt_ns=phone.rtt_ns if phone is not None else 0,
        silent=bool(place) and (phone.state == "silent" if phone is not None else not one.pages),
        wants=one.wants,
    )


@call("POST", "/phone", Named, takes=PhoneName, needs="host", like={"name": "Kitchen"}, by_token=False)
def rename(wish: PhoneName) -> Named:
    """Give this device a name for sheet and history; a program goes by its token's."""
    by = auth.rename(wish.name)
    return Named(by, given_name(by))


@call("GET", "/pin", Pin, needs="host")
def pin() -> Pin:
    """Return the PIN, for those who may make others hosts."""
    return Pin(auth.the_access().pin)


@call("POST", "/pin", Pin, needs="host")
def another_pin() -> Pin:
    """Draw another PIN: from now on only this device hosts, and the machine of the table."""
    access = auth.the_access()
    access.draw_pin()
    access.devices.only(auth.visitor().device)
    return Pin(access.pin)


@call("GET", "/qr.svg", "image/svg+xml", may_miss=True)
def qr() -> Response:
    """Return the way to a seat as a QR code, for whoever is to sit down; it makes nobody a host."""
    address = WebContext.here().join_address
    if address is None:
        raise Missing(text("Phones cannot reach this table. Start it with --lan to let them in."))
    return _picture(address)


@call("GET", "/wifi.svg", "image/svg+xml", needs="host", may_miss=True)
def wifi() -> Response:
    """Return the way into the table's Wi-Fi as a QR code, for those who may show it to others."""
    network = WebContext.here().wifi
    if network is None:
        raise Missing(
            english("This table has no Wi-Fi of its own: lastnose setup-pi --access-point makes one.")
        )
    return _picture(network.code)


def _picture(says: str) -> Response:
    """Return a QR code as a picture that no cache keeps."""
    drawn = WebContext.here().work(qr_code, says)
    return Response(drawn, mimetype="image/svg+xml", headers={"Cache-Control": "no-store"})
