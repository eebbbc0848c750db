import type { Plugin } from 'vite';

/** Has the browser load the file of that name, what it imports and its styles at once: main.ts runs it later. */
export function preloadPage(name: string): Plugin {
  return {
    name: 'lanyard:preload-page',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const chunk = Object.values(bundle ?? {}).find((each) => each.type === 'chunk' && each.name === name);
        // The development server has no bundle.
        if (chunk?.type !== 'chunk') {
          return [];
        }
        const imported = chunk.imports.filter((file) => !html.includes(file));
        const styles = [...(chunk.viteMetadata?.importedCss ?? [])];
        return [
          ...[chunk.fileName, ...imported].map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', href: `./${file}` },
            injectTo: 'head' as const,
          })),
          // What runs the page adds its styles and awaits them, and asks for them in the same way (`crossorigin`).
          ...styles.map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'style', crossorigin: true, href: `./${file}` },
            injectTo: 'head' as const,
          })),
        ];
      },
    },
  };
}
