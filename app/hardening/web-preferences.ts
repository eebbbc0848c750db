import type { WebPreferences } from 'electron';

export interface WebPreferencesOptions {
  /** A separate session, only in memory: without `persist:`. */
  partition: string;
  preload?: string;
  isPackaged: boolean;
}

/**
 * What each page of the app runs with. Most of it is Electron's default: it is said all the same, so that no other default
 * of a later version changes it.
 */
export function webPreferences({ partition, preload, isPackaged }: WebPreferencesOptions): WebPreferences {
  return {
    partition,
    ...(preload !== undefined && { preload }),
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
    plugins: false,
    experimentalFeatures: false,
    enableBlinkFeatures: '',
    navigateOnDragDrop: false,
    safeDialogs: true,
    // It would fetch a dictionary, and read what is typed.
    spellcheck: false,
    autoplayPolicy: 'document-user-activation-required',
    devTools: !isPackaged,
  };
}
