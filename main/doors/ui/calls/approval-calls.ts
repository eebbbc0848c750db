import type { QuestionBoard } from '../../../consent/approvals/question-board.ts';
import type { UiHandlers } from '../handlers.ts';

export interface ApprovalCallsDeps {
  board: Pick<QuestionBoard, 'answer'>;
}

export function createApprovalCalls({ board }: ApprovalCallsDeps): Pick<UiHandlers, 'question.answer'> {
  return {
    'question.answer': async ({ id, answer }) => {
      await board.answer(id, answer, 'page');
      return {};
    },
  };
}
