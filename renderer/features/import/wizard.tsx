import { useState } from 'react';
import type { ImportPlanView } from '../../../main/contract/ui/calls/import.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { type Answers, agreedTo, sortContexts } from './answers.ts';
import { ContextsSection } from './contexts-section.tsx';
import styles from './import.module.css';
import { useImportRun } from './import-run.tsx';
import { OfflineAccess } from './offline-access.tsx';
import { PlaceChoice } from './place-choice.tsx';
import {
  DiffsSection,
  HiddenSection,
  NotesSection,
  PlainSection,
  ProblemsSection,
  ProgramsSection,
  UsersSection,
} from './plan-sections.tsx';
import { Questions } from './questions-section.tsx';
import { SourceSection } from './source-section.tsx';
import { UnfinishedSection } from './unfinished-section.tsx';
import type { ChosenName, Planned, PlanWish } from './use-plan.ts';

export interface WizardProps {
  wish: PlanWish;
  onWish(wish: PlanWish): void;
  planned: Planned;
  answers: Answers;
  onAnswers(answers: Answers): void;
}

/** The plan, from top to bottom: its source, its options, its entries, its questions, its files. */
export function Wizard({ wish, onWish, planned, answers, onAnswers }: WizardProps) {
  const { plan, failure, doing, again } = planned;
  const onName = (what: ChosenName['what'], of: string, name: string) => {
    const others = wish.names.filter((each) => each.what !== what || each.of !== of);
    onWish({ ...wish, names: [...others, { what, of, name }] });
  };
  return (
    <div className={styles.wide} aria-busy={doing !== null || undefined}>
      <SourceSection
        plan={plan}
        files={wish.files}
        pasted={wish.pasted}
        onSource={(source) => onWish({ ...wish, ...source, contexts: null, names: [] })}
      />
      {failure && failure.code === 'import.none' && (
        <Empty
          title="No kubeconfig found"
          text="No kubeconfig in the default locations. Choose a file above, or add an account and cluster manually."
          action={
            <Button calls onClick={again}>
              Scan again
            </Button>
          }
        />
      )}
      {failure && failure.code !== 'import.none' && <Failure failure={failure} onRetry={again} />}
      {!plan && !failure && <Loading label={doing ?? 'Scanning'} />}
      {plan && (
        <>
          <ProblemsSection plan={plan} onAgain={again} />
          <HiddenSection plan={plan} />
          <UnfinishedSection plan={plan} />
          <Section title="Method">
            {wish.pasted === null ? (
              <PlaceChoice inPlace={wish.inPlace} onInPlace={(inPlace) => onWish({ ...wish, inPlace })} />
            ) : (
              <p className={styles.muted}>
                No file is edited. Lanyard adds the contexts to its own kubeconfig, {plan.managed}.
              </p>
            )}
            {plan.refused !== null && (
              <p className={styles.warn} role="alert">
                {plan.refused}
              </p>
            )}
            {plan.offlineAccess && (
              <OfflineAccess
                accounts={plan.offlineAccess.accounts}
                wanted={wish.offlineAccess}
                onWanted={(offlineAccess) => onWish({ ...wish, offlineAccess })}
              />
            )}
          </Section>
          {plan.questions.length > 0 && (
            <Section title="Review">
              <Questions
                questions={plan.questions}
                answers={answers}
                own={isOwn(wish)}
                busy={doing !== null}
                onAnswers={onAnswers}
              />
            </Section>
          )}
          {plan.allContexts.length > 0 && (
            <ContextsSection
              plan={plan}
              chosen={wish.contexts}
              onChosen={(contexts) => onWish({ ...wish, contexts })}
              onName={(of, name) => onName('cluster', of, name)}
            />
          )}
          <UsersSection plan={plan} onName={(of, name) => onName('account', of, name)} />
          <ProgramsSection plan={plan} />
          <PlainSection plan={plan} leftOut={sortContexts(plan, answers, isOwn(wish)).leftOut.length} />
          <NotesSection plan={plan} />
          <DiffsSection plan={plan} />
        </>
      )}
    </div>
  );
}

/** What a click on Import does, and the button. */
export function WizardFoot({ wish, planned, answers }: Pick<WizardProps, 'wish' | 'planned' | 'answers'>) {
  const { begin } = useImportRun();
  const [pressed, setPressed] = useState<string | null>(null);
  const { plan, doing } = planned;
  if (!plan) {
    return null;
  }
  const { imported, leftOut } = sortContexts(plan, answers, isOwn(wish));
  return (
    <div className={styles.foot}>
      <p role="status">{doing ?? footText(plan, leftOut.length)}</p>
      <Button
        kind="primary"
        calls
        disabled={plan.sum === null || imported.length === 0 || doing !== null || pressed === plan.id}
        onClick={() => {
          setPressed(plan.id);
          begin(plan.id, agreedTo(plan, answers, isOwn(wish)));
        }}
      >
        Import
      </Button>
    </div>
  );
}

/** The files that kubectl reads. */
function isOwn({ files, pasted }: PlanWish): boolean {
  return files.length === 0 && pasted === null;
}

function footText({ sum, problems }: ImportPlanView, leftOut: number): string {
  if (problems.some(({ severity }) => severity === 'error')) {
    return 'Fix the file’s errors to continue.';
  }
  if (sum === null) {
    return 'Nothing new to import.';
  }
  return leftOut === 0
    ? sum
    : `${leftOut === 1 ? '1 context is not imported' : `${leftOut} contexts are not imported`}: select what you agree to.`;
}
