import { useTranslation } from '../../i18n/i18n';
import { giveAnswer, type AnswerValue, type Decision } from '../../api/decisions';
import { AnswerBar, type AnswerChoice } from '../../ui/answer-bar';

interface ArticleAnswersProps {
  decision: Decision;
  /** For a question with an answer that needs words: by default, a rejection with a reason. */
  reject?: { label?: string; reasonLabel: string; answerWith: (reason: string) => AnswerValue };
  /** The answer that continues the article. */
  accept: AnswerChoice<AnswerValue>;
}

/** The answers to a question of an article: reject it, end the article after a second press, or continue. */
export function ArticleAnswers({ decision, reject, accept }: ArticleAnswersProps) {
  const { t } = useTranslation();
  const stop = {
    label: t('articles.stop'),
    answer: { action: 'stop' },
    confirm: { label: t('articles.stopNow'), consequence: t('articles.stopText') },
  };
  return (
    <AnswerBar<AnswerValue>
      give={(answer) => giveAnswer(decision.id, answer)}
      reasonLabel={reject?.reasonLabel}
      choices={(reason) => [
        ...(reject
          ? [
              {
                label: reject.label ?? t('draft.reject'),
                answer: reject.answerWith(reason),
                isDisabled: reason === '',
              },
            ]
          : []),
        stop,
        { ...accept, isMain: true },
      ]}
    />
  );
}
