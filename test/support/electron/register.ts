import { registerHooks } from 'node:module';

/** `node --import register.ts dist/app/main.js`: the app's built entry, with the stand-in where it imports Electron. */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? next('./as-module.ts', { ...context, parentURL: import.meta.url })
      : next(specifier, context),
});
