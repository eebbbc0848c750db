import { type Refusal, refuse } from '../contract/refusal.ts';
import { parseImageName } from '../domain/image/image-name.ts';
import { visibleText } from '../domain/text/visible-text.ts';

/** An image as a kubelet asks for it, with registry and path, without tag and digest; or why it is none. */
export function imageOf(text: string): { ok: true; image: string } | Refusal {
  const parsed = parseImageName(text);
  return parsed.ok
    ? { ok: true, image: parsed.image.name }
    : refuse(
        'usage',
        'image.name',
        visibleText(parsed.message, 512),
        'name it as a pod does: ghcr.io/team/app:1.2',
      );
}
