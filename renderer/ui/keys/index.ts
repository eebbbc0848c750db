export { moved } from './list-moves.ts';
export { SingleKeysProvider, useSingleKeys } from './single-keys.tsx';
export { isTyping, type ListKeys, useListKeys } from './use-list-keys.ts';
