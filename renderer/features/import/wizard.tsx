import { useState } from 'react';
import type { ImportPlanView } from '../../../main/contract/ui/calls/import.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { type Answers, agreedTo, withoutRefused } from './answers.ts';
import { ContextsSection } from './contexts-section.tsx';
import styles from './import.module.css';
import { useImportRun } from './import-run.tsx';
import { OfflineAccess } from './offline-access.tsx';
import { PlaceChoice } from './place-choice.tsx';
import {
  DiffsSection,
  NotesSection,
  PlainSection,
  ProblemsSection,
  ProgramsSection,
  UsersSection,
} from './plan-sections.tsx';
import { QuestionsSection } from './questions-section.tsx';
import { SourceSection } from './source-section.tsx';
import { UnfinishedSection } from './unfinished-section.tsx';
import type { Planned, PlanWish } from './use-plan.ts';

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
  return (
    <div className={styles.wide} aria-busy={doing !== null || undefined}>
      <SourceSection
        plan={plan}
        files={wish.files}
        onFiles={(files) => onWish({ ...wish, files, contexts: null })}
      />
      {failure && failure.code === 'import.none' && (
        <Empty
          title="No kubeconfig there"
          text="Nothing was found where kubectl looks. Name another file above, or add an account and a cluster by hand."
          action={<Button onClick={again}>Look again</Button>}
        />
      )}
      {failure && failure.code !== 'import.none' && <Failure failure={failure} onRetry={again} />}
      {!plan && !failure && <Loading label={doing ?? 'Looking'} />}
      {plan && (
        <>
          <ProblemsSection plan={plan} onAgain={again} />
          <UnfinishedSection plan={plan} />
          <Section title="How">
            <PlaceChoice inPlace={wish.inPlace} onInPlace={(inPlace) => onWish({ ...wish, inPlace })} />
            {plan.offlineAccess && (
              <OfflineAccess
                accounts={plan.offlineAccess.accounts}
                wanted={wish.offlineAccess}
                onWanted={(offlineAccess) => onWish({ ...wish, offlineAccess })}
              />
            )}
          </Section>
          <QuestionsSection
            questions={plan.questions}
            answers={answers}
            busy={doing !== null}
            onAnswer={(key, word) => onAnswers({ ...answers, [key]: word })}
            onRefuse={(refused) => onWish({ ...wish, contexts: withoutRefused(plan, refused) })}
          />
          {plan.allContexts.length > 0 && (
            <ContextsSection
              plan={plan}
              chosen={wish.contexts}
              onChosen={(contexts) => onWish({ ...wish, contexts })}
            />
          )}
          <UsersSection plan={plan} />
          <ProgramsSection plan={plan} />
          <PlainSection plan={plan} />
          <NotesSection plan={plan} />
          <DiffsSection plan={plan} />
        </>
      )}
    </div>
  );
}

/** What a click on Import does, and the button. */
export function WizardFoot({ planned, answers }: Pick<WizardProps, 'planned' | 'answers'>) {
  const { begin } = useImportRun();
  const [pressed, setPressed] = useState<string | null>(null);
  const { plan, doing } = planned;
  if (!plan) {
    return null;
  }
  const agreed = agreedTo(plan, answers);
  const open = plan.questions.length > 0 && agreed === null;
  return (
    <div className={styles.foot}>
      <p role="status">{doing ?? footText(plan, open)}</p>
      <Button
        kind="primary"
        disabled={plan.sum === null || agreed === null || doing !== null || pressed === plan.id}
        onClick={() => {
          setPressed(plan.id);
          begin(plan.id, agreed ?? []);
        }}
      >
        Import
      </Button>
    </div>
  );
}

function footText({ sum, problems }: ImportPlanView, open: boolean): string {
  if (problems.some(({ severity }) => severity === 'error')) {
    return 'Fix the file’s errors to continue.';
  }
  if (sum === null) {
    return 'There is nothing new to import.';
  }
  return open ? `${sum} First answer what is asked.` : sum;
}
