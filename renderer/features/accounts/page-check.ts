import type { z } from 'zod';
import { accountKinds } from '../../../main/contract/config/accounts/account.ts';
import { configName } from '../../../main/contract/config/names.ts';
import type { AccountDraft, DraftProblem } from '../../../main/contract/ui/calls/accounts.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import { emptyFault, fieldFault } from '../entries/field-fault.ts';

/** The faults that the page can find in a draft while it is typed. The broker checks the rest. */
export function pageProblems(draft: AccountDraft): DraftProblem[] {
  const problem = (field: string, message: string, item: DraftProblem['item'] = null): DraftProblem => ({
    field,
    item,
    severity: 'error',
    message,
  });
  const name = draft.isNew ? configName.safeParse(draft.name) : null;
  const shape = accountKinds[draft.kind].shape as Record<string, ZodLike>;
  const found = Object.entries(draft.set).flatMap(([key, value]) => {
    const parsed = Object.hasOwn(shape, key) ? shape[key]?.safeParse(value) : undefined;
    const issue = parsed?.error?.issues[0];
    const [item] = issue?.path ?? [];
    return issue
      ? [
          problem(
            key,
            value === '' ? emptyFault(key) : fieldFault(issue, key),
            typeof item === 'symbol' ? null : (item ?? null),
          ),
        ]
      : [];
  });
  const [unnamed] = name?.error?.issues ?? [];
  return unnamed ? [problem('name', fieldFault(unnamed, 'name')), ...found] : found;
}

interface ZodLike {
  safeParse(value: unknown): { error?: { issues: z.core.$ZodIssue[] } };
}

/** The message under one field: from the first list that has one. The page's list comes first, as it is the newest. */
export function errorOf(field: string, ...lists: readonly (readonly DraftProblem[])[]): string | null {
  for (const problems of lists) {
    const isOfPart = ({ field: part, item }: DraftProblem) => `${part}.${item}` === field;
    const first = problems.find(
      (each) => (each.field === field || isOfPart(each)) && each.severity === 'error',
    );
    if (first && isOfPart(first)) {
      return sentence(first.message);
    }
    if (first) {
      const where = typeof first.item === 'number' ? `Line ${first.item + 1}` : first.item;
      return where === null ? sentence(first.message) : `${where}: ${first.message}`;
    }
  }
  return null;
}
