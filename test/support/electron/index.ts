/**
 * A stand-in for Electron's main process, for `app` under plain Node. What it is and what it isn't:
 *
 * - Its types are Electron's own (app/electron.ts): what the app uses and the stand-in hasn't doesn't compile, nor what
 *   Electron wouldn't take.
 * - It keeps what it was told (windows' options, menus, notifications, handlers), and lets a test do what a person or the
 *   system does: click, close, sleep, answer. Nothing is drawn, and no page runs: `loadURL` only remembers.
 * - It knows nothing of Chromium: that a sandbox holds, that a CSP is kept, what order real events come in, is shown by the
 *   specs that run on a real Electron where there is one (npm run test:electron), and nowhere else.
 * - Pictures and menus are cast to Electron's types; they have only what is written here.
 */

export { StandInSession } from './session.ts';
export { createStandIn, type StandIn, type StandInMenu, type StandInPicture } from './stand-in.ts';
export { StandInContents, StandInWindow } from './windows.ts';
