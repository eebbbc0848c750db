#!/usr/bin/python3
"""A desktop on a test's session bus, as far as the app talks to it, and the person before it (desk.ts).

Stands in for what shows tray icons (StatusNotifierWatcher), for the notification server and for logind. Draws nothing.

desk.py serve            takes the three names, until it is ended
desk.py tray             the item that was registered last: its properties, as JSON
desk.py menu             its menu (com.canonical.dbusmenu), a line each
desk.py click LABEL...   a click on the line that begins so (a path through submenus)
desk.py activate         a left click on the icon
desk.py notes            the notifications that were shown, as JSON
desk.py invoke ID ACTION a click on a notification
desk.py sleep true|false logind's signal: the system is about to sleep, or has slept
"""
import json
import os
import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

WATCHER = 'org.kde.StatusNotifierWatcher'
NOTES = 'org.freedesktop.Notifications'
ITEM = 'org.kde.StatusNotifierItem'
MENU = 'com.canonical.dbusmenu'
PROPERTIES = 'org.freedesktop.DBus.Properties'


class Watcher(dbus.service.Object):
    def __init__(self, bus):
        super().__init__(dbus.service.BusName(WATCHER, bus), '/StatusNotifierWatcher')
        self.items = []

    @dbus.service.method(WATCHER, in_signature='s', sender_keyword='sender')
    def RegisterStatusNotifierItem(self, service, sender=None):
        name, path = (sender, service) if service.startswith('/') else (service, '/StatusNotifierItem')
        self.items.append((name, path))
        self.StatusNotifierItemRegistered(f'{name}{path}')

    @dbus.service.method(WATCHER, in_signature='s')
    def RegisterStatusNotifierHost(self, service):
        self.StatusNotifierHostRegistered()

    @dbus.service.signal(WATCHER, signature='s')
    def StatusNotifierItemRegistered(self, service):
        pass

    @dbus.service.signal(WATCHER)
    def StatusNotifierHostRegistered(self):
        pass

    @dbus.service.method(PROPERTIES, in_signature='ss', out_signature='v')
    def Get(self, interface, name):
        return self.GetAll(interface)[name]

    @dbus.service.method(PROPERTIES, in_signature='s', out_signature='a{sv}')
    def GetAll(self, interface):
        return {
            'RegisteredStatusNotifierItems': dbus.Array([f'{a}{b}' for a, b in self.items], signature='s'),
            'IsStatusNotifierHostRegistered': True,
            'ProtocolVersion': dbus.Int32(0),
        }

    @dbus.service.method('dev.lanyard.Desk', out_signature='s')
    def Items(self):
        return json.dumps(self.items)


class Notes(dbus.service.Object):
    def __init__(self, bus):
        super().__init__(dbus.service.BusName(NOTES, bus), '/org/freedesktop/Notifications')
        self.shown = []
        self.last = 0

    @dbus.service.method(NOTES, in_signature='susssasa{sv}i', out_signature='u')
    def Notify(self, app, replaces, icon, summary, body, actions, hints, timeout):
        self.last = replaces or self.last + 1
        hints = {str(k): (str(v) if not hasattr(v, '__len__') or isinstance(v, str) else f'<{len(v)}>') for k, v in hints.items()}
        self.shown.append({'id': int(self.last), 'app': str(app), 'title': str(summary), 'body': str(body), 'actions': [str(a) for a in actions], 'hints': hints, 'open': True})
        return self.last

    @dbus.service.method(NOTES, in_signature='u')
    def CloseNotification(self, which):
        self.end(which, 3)

    def end(self, which, why):
        for each in self.shown:
            if each['id'] == which:
                each['open'] = False
        self.NotificationClosed(which, why)

    @dbus.service.method(NOTES, out_signature='as')
    def GetCapabilities(self):
        return ['body', 'actions', 'persistence']

    @dbus.service.method(NOTES, out_signature='ssss')
    def GetServerInformation(self):
        return ('desk', 'lanyard', '1', '1.2')

    @dbus.service.signal(NOTES, signature='us')
    def ActionInvoked(self, which, action):
        pass

    @dbus.service.signal(NOTES, signature='uu')
    def NotificationClosed(self, which, why):
        pass

    @dbus.service.method('dev.lanyard.Desk', out_signature='s')
    def Shown(self):
        return json.dumps(self.shown)

    @dbus.service.method('dev.lanyard.Desk', in_signature='us')
    def Invoke(self, which, action):
        self.ActionInvoked(which, action)
        self.end(which, 2)


class Logind(dbus.service.Object):
    def __init__(self, bus):
        super().__init__(dbus.service.BusName('org.freedesktop.login1', bus), '/org/freedesktop/login1')
        self.kept = []

    @dbus.service.method('org.freedesktop.login1.Manager', in_signature='ssss', out_signature='h')
    def Inhibit(self, what, who, why, mode):
        reading, writing = os.pipe()
        self.kept.append(reading)
        return dbus.types.UnixFd(writing)

    @dbus.service.signal('org.freedesktop.login1.Manager', signature='b')
    def PrepareForSleep(self, begins):
        pass

    @dbus.service.method('dev.lanyard.Desk', in_signature='b')
    def Sleep(self, begins):
        self.PrepareForSleep(begins)


def item(bus):
    watcher = bus.get_object(WATCHER, '/StatusNotifierWatcher')
    items = json.loads(watcher.Items(dbus_interface='dev.lanyard.Desk'))
    alive = [each for each in items if bus.name_has_owner(each[0])]
    return bus.get_object(*alive[-1])


def lines(entry, depth=0):
    number, properties, children = entry
    found = []
    for child in children:
        found.append((depth, int(child[0]), {str(k): v for k, v in child[1].items()}))
        found += lines(child, depth + 1)
    return found


def label(properties):
    if properties.get('type') == 'separator':
        return '---'
    mark = '* ' if int(properties.get('toggle-state', 0)) == 1 else ''
    end = '' if bool(properties.get('enabled', True)) else ' (disabled)'
    return mark + str(properties.get('label', '')) + end


def menu(bus):
    shown = item(bus)
    path = shown.Get(ITEM, 'Menu', dbus_interface=PROPERTIES)
    reached = bus.get_object(shown.bus_name, path)
    try:
        reached.AboutToShow(0, dbus_interface=MENU)
    except dbus.DBusException:
        pass
    return reached, reached.GetLayout(0, -1, dbus.Array([], signature='s'), dbus_interface=MENU)[1]


def main():
    DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    what, *words = sys.argv[1:]
    if what == 'serve':
        kept = (Watcher(bus), Notes(bus), Logind(bus))
        print('ready', flush=True)
        GLib.MainLoop().run()
        return kept
    if what == 'tray':
        got = item(bus).GetAll(ITEM, dbus_interface=PROPERTIES)
        for name in ('IconPixmap', 'ToolTip'):
            if name in got:
                value = got[name]
                got[name] = [(int(w), int(h), len(b)) for w, h, b in value] if name == 'IconPixmap' else [str(value[2]), str(value[3])]
        print(json.dumps({str(k): v if isinstance(v, list) else str(v) for k, v in got.items()}))
    elif what == 'menu':
        for depth, _number, properties in lines(menu(bus)[1]):
            print('  ' * depth + label(properties))
    elif what == 'click':
        reached, layout = menu(bus)
        level, wanted = layout, None
        for word in words:
            wanted = next(each for each in level[2] if str(each[1].get('label', '')).replace('_', '').startswith(word))
            level = wanted
        reached.Event(wanted[0], 'clicked', dbus.Int32(0, variant_level=1), dbus.UInt32(0), dbus_interface=MENU)
    elif what == 'activate':
        item(bus).Activate(0, 0, dbus_interface=ITEM)
    elif what == 'notes':
        print(bus.get_object(NOTES, '/org/freedesktop/Notifications').Shown(dbus_interface='dev.lanyard.Desk'))
    elif what == 'sleep':
        bus.get_object('org.freedesktop.login1', '/org/freedesktop/login1').Sleep(words[0] == 'true', dbus_interface='dev.lanyard.Desk')
    elif what == 'invoke':
        bus.get_object(NOTES, '/org/freedesktop/Notifications').Invoke(int(words[0]), words[1], dbus_interface='dev.lanyard.Desk')
    return None


main()
