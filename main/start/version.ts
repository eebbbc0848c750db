import packageJson from '../../package.json' with { type: 'json' };

/** Lanyard's version, as package.json says it. */
export const version: string = packageJson.version;
