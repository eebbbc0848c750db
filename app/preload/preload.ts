import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { PageBridge } from '../../main/contract/ui/page-bridge.ts';
import { channels } from '../ipc/channels.ts';
import { type DropTarget, takeDrops } from './dropped-files.ts';

declare const window: DropTarget & { location: { hash: string } };

let listen: (text: string) => void = () => undefined;
/** Doesn't pass on the event itself: it leads to Electron's own objects. */
ipcRenderer.on(channels.toPage, (_event, text: unknown) => {
  if (typeof text === 'string') {
    listen(text);
  }
});
ipcRenderer.on(channels.route, (_event, route: unknown) => {
  // Changes only the fragment, so that the document stays.
  if (typeof route === 'string' && route.startsWith('#/')) {
    window.location.hash = route;
  }
});

const bridge: PageBridge = {
  send(text) {
    if (typeof text === 'string') {
      ipcRenderer.send(channels.toBroker, text);
    }
  },
  listen(listener) {
    listen = (text) => listener(text);
    ipcRenderer.send(channels.begin);
  },
  listenDrops: takeDrops(window, (file) => webUtils.getPathForFile(file)),
};
contextBridge.exposeInMainWorld('lanyard', bridge);
