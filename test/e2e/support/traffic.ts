import type { Page } from 'playwright';

/** What a page and its broker said so far, message by message. */
export interface Traffic {
  readonly sent: string[];
  readonly heard: string[];
}

/** Of a page of `lanyard ui`; from its first message on where it hasn't gone anywhere yet. */
export function recordTraffic(page: Page): Traffic {
  const traffic: Traffic = { sent: [], heard: [] };
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => traffic.sent.push(String(payload)));
    socket.on('framereceived', ({ payload }) => traffic.heard.push(String(payload)));
  });
  return traffic;
}

export const allOf = ({ sent, heard }: Traffic): string => [...sent, ...heard].join('\n');
