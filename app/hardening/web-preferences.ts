import type { WebPreferences } from 'electron';

export interface WebPreferencesOptions {
  /** A separate session, only in memory: without `persist:`. */
  partition: string;
  preload?: string;
  isPackaged: boolean;
}

/**
 * The preferences of each page of the app. Most are Electron's defaults, set explicitly in case a later version
 * changes a default.
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
    // The spell checker would download a dictionary, and read what is typed.
    spellcheck: false,
    autoplayPolicy: 'document-user-activation-required',
    devTools: !isPackaged,
  };
}
