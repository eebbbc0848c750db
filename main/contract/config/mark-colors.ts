/** The colours of `appearance.colors`, told apart in both themes (renderer/theme/tokens.css). */
export const markColors = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink'] as const;
export type MarkColor = (typeof markColors)[number];
