import { contextBridge, ipcRenderer } from 'electron';
import { channels, type PageBridge } from '../ipc/channels.ts';

let listen: (text: string) => void = () => undefined;
ipcRenderer.on(channels.toPage, (_event, text: unknown) => {
  if (typeof text === 'string') {
    listen(text);
  }
});

/** The event itself never reaches the page: it would lead to Electron's own objects. */
const bridge: PageBridge = {
  send: (text) => ipcRenderer.send(channels.toBroker, String(text)),
  listen(listener) {
    listen = (text) => listener(text);
  },
};
contextBridge.exposeInMainWorld('lanyard', bridge);
