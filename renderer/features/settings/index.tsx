import { useGo } from '../../navigation/use-route.ts';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { CheckUp } from './check-up.tsx';
import { General } from './general.tsx';
import { NetworkAndPlaces } from './network-and-places.tsx';
import { Security } from './security.tsx';
import { SupportBundle } from './support-bundle.tsx';

const tabs = [
  { value: 'general', label: 'General', panel: <General /> },
  { value: 'security', label: 'Security', panel: <Security /> },
  { value: 'network', label: 'Network and files', panel: <NetworkAndPlaces /> },
  { value: 'check-up', label: 'Check-up', panel: <CheckUp /> },
  { value: 'support', label: 'Support bundle', panel: <SupportBundle /> },
] as const;

/** Lanyard's settings, its check-up, and the support bundle. */
export function View({ name }: { name: string | null }) {
  const go = useGo();
  const shown = tabs.find(({ value }) => value === name)?.value ?? 'general';
  return (
    <Page title="Settings">
      <Tabs
        label="Settings"
        value={shown}
        onValueChange={(value) => go('settings', value, { replace: true })}
        tabs={tabs}
      />
    </Page>
  );
}
