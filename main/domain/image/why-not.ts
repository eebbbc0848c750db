import { type ImagePattern, type ImageTarget, imageTarget, matchesImage } from './image-pattern.ts';

/** Why a pattern doesn’t cover an image, in words for the user; null: it covers it. */
export function whyNot(pattern: ImagePattern, image: string): string | null {
  const target = imageTarget(image);
  if (target === null) {
    return 'the image has no host that a pattern could match';
  }
  return matchesImage(pattern, target) ? null : firstDifference(pattern, target);
}

function firstDifference({ globs, port }: ImagePattern, target: ImageTarget): string {
  if (globs.length !== target.labels.length) {
    return `its host has ${count(globs.length)}, the image’s has ${count(target.labels.length)}`;
  }
  if (!globs.every((glob, index) => glob(target.labels[index] ?? ''))) {
    return 'it is for another host';
  }
  if (port !== target.port) {
    return port === ''
      ? `it has no port, the image has ${target.port}`
      : `it has the port ${port}, the image ${target.port === '' ? 'none' : target.port}`;
  }
  return 'it is for another path';
}

function count(labels: number): string {
  return labels === 1 ? 'one part' : `${labels} parts`;
}
