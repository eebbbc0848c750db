import { useState } from 'react';
import { hrefOf, importingName } from '../../navigation/route.ts';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import type { Answers } from './answers.ts';
import { useImportRun } from './import-run.tsx';
import { RunPanel } from './run-panel.tsx';
import { UndoPanel } from './undo-panel.tsx';
import { type PlanWish, usePlan } from './use-plan.ts';
import { Wizard, WizardFoot } from './wizard.tsx';

/** Kubeconfigs: plans an import, runs it, and undoes it. */
export function View() {
  const { run } = useImportRun();
  const [tab, setTab] = useState<'import' | 'undo'>('import');
  const [wish, setWish] = useState<PlanWish>({
    files: [],
    pasted: null,
    contexts: null,
    inPlace: true,
    names: [],
    offlineAccess: true,
  });
  const [answers, setAnswers] = useState<Answers>({});
  const planned = usePlan(wish, run !== null || tab !== 'import');
  const isPlanning = run === null && tab === 'import';
  return (
    <Page
      title="Import"
      actions={<a href={hrefOf('registries', importingName)}>docker’s logins and a kubelet’s providers</a>}
      footer={isPlanning && planned.plan && <WizardFoot wish={wish} planned={planned} answers={answers} />}
    >
      {run ? (
        <RunPanel run={run} />
      ) : (
        <Tabs<'import' | 'undo'>
          label="Import"
          value={tab}
          onValueChange={setTab}
          tabs={[
            {
              value: 'import',
              label: 'Import',
              panel: (
                <Wizard
                  wish={wish}
                  onWish={setWish}
                  planned={planned}
                  answers={answers}
                  onAnswers={setAnswers}
                />
              ),
            },
            { value: 'undo', label: 'Undo', panel: <UndoPanel /> },
          ]}
        />
      )}
    </Page>
  );
}
