import type { Part } from './parts-list.ts';

/** What a package holds of others, with the texts of their licences: they ask to be passed on. */
export function notices(parts: readonly Part[]): string {
  const sections = parts
    .filter(({ in: places }) => !places.every((place) => place === 'shell'))
    .map(({ name, version, licence, text }) =>
      [
        `${name} ${version ?? ''}`.trim(),
        `Licence: ${licence ?? 'see below'}`,
        '',
        text ?? '(no text comes with it)',
      ].join('\n'),
    );
  return [
    'Lanyard is made with the work of others. These are its parts and their licences.',
    'Electron’s and Chromium’s are in LICENSE.electron.txt and LICENSES.chromium.html, which come with Electron.',
    ...sections,
  ].join(`\n\n${'-'.repeat(80)}\n\n`);
}
