import type { JumpListCategory } from 'electron';
import type { ElectronModule } from '../electron.ts';

export interface JumpListDeps {
  app: Pick<ElectronModule['app'], 'setJumpList' | 'isPackaged' | 'getAppPath'>;
  /** The app's own program. */
  program: string;
}

/** The menu of the taskbar's icon. Each task starts the app again, which passes its arguments to the running one. */
export function jumpList(program: string, before: string): JumpListCategory[] {
  const task = (title: string, description: string, words: string) => ({
    type: 'task' as const,
    title,
    description,
    program,
    args: `${before}${words}`,
    iconPath: program,
    iconIndex: 0,
  });
  return [
    {
      type: 'tasks',
      items: [
        task('Open Lanyard', 'Shows its window', '--show=#/clusters'),
        task('Accounts', 'Who is logged in', '--show=#/accounts'),
        task('Lock', 'Issues nothing until you unlock it', '--lock'),
      ],
    },
  ];
}

/** Windows: the jump list. */
export function setJumpList({ app, program }: JumpListDeps): void {
  app.setJumpList(jumpList(program, app.isPackaged ? '' : `"${app.getAppPath()}" `));
}
