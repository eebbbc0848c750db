import { isDeepStrictEqual } from 'node:util';
import type { Action } from '../actions.ts';
import type { Alert, Switch } from './alert.ts';

/** One notification, for one alert or for several. */
export interface Notice {
  keys: readonly string[];
  title: string;
  body: string;
  action: Action;
  isQuiet: boolean;
  /** A program waits for the user now. */
  isUrgent: boolean;
}

/** The alerts that are due as notifications: one for each switch. After a quiet time, one for all. */
export function noticesOf(due: readonly Alert[], isAfterQuiet: boolean): Notice[] {
  const sorts = Map.groupBy(due, (alert) => alert.switch);
  if (isAfterQuiet && sorts.size > 1) {
    const parts = [...sorts].map(([sort, alerts]) => summaries[sort].title(alerts.length));
    return [
      {
        ...together(due),
        title: 'While notifications were paused',
        body: `${parts.join('. ')}.`,
        action: { kind: 'show', route: null },
      },
    ];
  }
  return [...sorts].map(([sort, alerts]) => {
    const [only] = alerts;
    if (only && alerts.length === 1) {
      const { title, body, action } = only;
      return { ...together(alerts), title, body, action };
    }
    const { title, action } = summaries[sort];
    const isSame = alerts.every((alert) => isDeepStrictEqual(alert.action, only?.action));
    return {
      ...together(alerts),
      title: title(alerts.length),
      body: listed(alerts),
      action: only && isSame ? only.action : action,
    };
  });
}

function together(alerts: readonly Alert[]): Pick<Notice, 'keys' | 'isQuiet' | 'isUrgent'> {
  return {
    keys: alerts.map(({ key }) => key),
    isQuiet: alerts.every(({ isQuiet }) => isQuiet === true),
    isUrgent: alerts.some(({ key }) => /^(question|wanted|touch) /.test(key)),
  };
}

const shownTitles = 3;

function listed(alerts: readonly Alert[]): string {
  const titles = alerts.slice(0, shownTitles).map(({ title }) => title);
  const more = alerts.length - titles.length;
  return `${titles.join('. ')}${more > 0 ? `, and ${more} more` : ''}.`;
}

const summaries: Readonly<Record<Switch, { title(count: number): string; action: Action }>> = {
  questions: {
    title: (count) =>
      count === 1 ? '1 program waits for your answer' : `${count} programs wait for your answer`,
    action: { kind: 'show', route: null },
  },
  logins: {
    title: (count) => (count === 1 ? '1 account needs a login' : `${count} accounts need a login`),
    action: { kind: 'show', route: '#/accounts' },
  },
  ending: {
    title: (count) => (count === 1 ? '1 account expires soon' : `${count} accounts expire soon`),
    action: { kind: 'show', route: '#/accounts' },
  },
  problems: {
    title: (count) =>
      count === 1 ? '1 thing is failing repeatedly' : `${count} things are failing repeatedly`,
    action: { kind: 'show', route: '#/clusters' },
  },
  changes: {
    title: (count) => (count === 1 ? '1 change to review' : `${count} changes to review`),
    action: { kind: 'show', route: null },
  },
};
