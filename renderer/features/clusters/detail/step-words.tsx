import { Fragment } from 'react';
import type { ShownStep } from '../../../../main/contract/shown-try.ts';
import { hrefOf } from '../../../navigation/route.ts';

/** What a step does; its accounts are links. */
export function StepWords({ parts }: { parts: ShownStep['does'] }) {
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other name than its place
    <Fragment key={index}>{typeof part === 'string' ? part : <AccountLink name={part.account} />}</Fragment>
  ));
}

export function AccountLink({ name }: { name: string }) {
  return <a href={hrefOf('accounts', name)}>{name}</a>;
}
