import type { Plugin } from 'vite';

/** Has the browser load the file of that name, and its styles, at once: main.ts runs it later. */
export function preloadPage(name: string): Plugin {
  return {
    name: 'lanyard:preload-page',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const chunk = Object.values(bundle ?? {}).find((each) => each.type === 'chunk' && each.name === name);
        // The development server has no bundle.
        if (chunk?.type !== 'chunk') {
          return [];
        }
        const styles = [...(chunk.viteMetadata?.importedCss ?? [])];
        return [
          { tag: 'link', attrs: { rel: 'modulepreload', href: `./${chunk.fileName}` }, injectTo: 'head' },
          ...styles.map((href) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'style', href: `./${href}` },
            injectTo: 'head' as const,
          })),
        ];
      },
    },
  };
}
