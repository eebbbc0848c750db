import { useEffect, useRef } from 'react';
import type { UiState } from '../../../main/contract/ui/state.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { newsBetween } from './news.ts';

/**
 * Notifies the user about news while the page doesn't have the focus, if they and their browser allow it. The desktop
 * app has its own notifications. Renders nothing.
 */
export function Teller() {
  const accounts = useBroker((state) => state.sections.accounts);
  const questions = useBroker((state) => state.sections.questions);
  const wanted = useBroker((state) => state.sections.appearance['']?.notifications);
  const isToldElsewhere = useBroker((state) => state.sections.desktop['']?.notifies ?? false);
  const seen = useRef<Pick<UiState, 'accounts' | 'questions'> | null>(null);
  useEffect(() => {
    const before = seen.current;
    seen.current = { accounts, questions };
    if (
      !before ||
      !wanted ||
      isToldElsewhere ||
      document.hasFocus() ||
      Notification.permission !== 'granted'
    ) {
      return;
    }
    for (const { tag, title, body } of newsBetween(before, { accounts, questions }, wanted)) {
      const notification = new Notification(title, { tag, body });
      notification.onclick = () => {
        window.focus();
        notification.close();
      };
    }
  }, [accounts, questions, wanted, isToldElsewhere]);
  return null;
}
