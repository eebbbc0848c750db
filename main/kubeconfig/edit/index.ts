export { diffTexts } from './diff-texts.ts';
export { editKubeconfigText } from './edit-kubeconfig-text.ts';
export { hunksText } from './hunks-text.ts';
export type { LockedAnswer } from './locked-answer.ts';
export { freeStaleLocks } from './stale-locks.ts';
export {
  checkUnlocked,
  type LockedWrite,
  type WriteLockedDeps,
  type WrittenLocked,
  writeLocked,
} from './write-locked.ts';
