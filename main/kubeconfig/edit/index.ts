export { innerKeys, type KubeconfigChange, type ListName } from './change.ts';
export { diffTexts } from './diff-texts.ts';
export { editKubeconfigText, kubeconfigValue } from './edit-kubeconfig-text.ts';
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
