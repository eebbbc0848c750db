/**
 * A stand-in for Electron's main process, for `app` under plain Node. What it is and what it isn't:
 *
 * - Its types are Electron's own (app/electron.ts): what the app uses and the stand-in hasn't doesn't compile, nor what
 *   Electron wouldn't take.
 * - It keeps what it was told (windows' options, menus, notifications, handlers), and lets a test do what a person or the
 *   system does: click, close, sleep, answer. Nothing is drawn, and no page runs: `loadURL` only remembers.
 * - It knows nothing of Chromium: that a sandbox holds, that a CSP is kept, what order real events come in, is shown by the
 *   specs that run on a real Electron where there is one (npm run test:electron), and nowhere else.
 * - Pictures and menus are cast to Electron's types; they have only what is written here. So are the modules that are
 *   mere emitters (autoUpdater, ipcMain, powerMonitor, a session's protocol and webRequest): what is called on them is
 *   checked, the names of events that a test lets happen are not.
 * - What each system makes of Electron isn't here either: every tray is shown and its click sent, every notification is
 *   shown and can be clicked for ever (Windows wants a shortcut with the app's ids, macOS a signed app, GNOME forgets one
 *   that left its list), every window comes to the front (Wayland keeps it where it is, and in front of nothing), every
 *   event of the machine comes (on Linux no `lock-screen`; on Windows the end of a session only to windows), a full screen
 *   ends when a test says so, and `relaunch` starts nothing.
 * - A handler of a scheme gets Node's Request. Electron makes one of Chromium's: it leaves out an Origin of `null`, and the
 *   body of a form comes in pieces.
 */

export { StandInSession } from './session.ts';
export type { StandInMenu, StandInPicture } from './shown.ts';
export { createStandIn, type StandIn } from './stand-in.ts';
export { StandInContents, StandInWindow } from './windows.ts';
