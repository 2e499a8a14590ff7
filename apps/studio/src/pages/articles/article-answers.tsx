import { CommentedText } from '../../api/comments';
import { useTranslation } from '../../i18n/i18n';
import { giveAnswer, type AnswerValue, type Decision } from '../../api/decisions';
import { AnswerBar, type AnswerChoice } from '../../ui/answer-bar';

interface ArticleAnswersProps {
  decision: Decision;
  /** Answer that requires a text, by default a rejection with its reason; absent if the question has none. */
  reject?: { label?: string; reasonLabel: string; answerWith: (reason: string) => AnswerValue };
  /** The text under review, if people can comment on it. */
  commented?: CommentedText;
  /** The answer that continues the article. */
  accept: AnswerChoice<AnswerValue>;
}

/** The answers to a question of an article: reject it, end the article after a second press, or continue. */
export function ArticleAnswers({ decision, reject, accept, commented }: ArticleAnswersProps) {
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
      commented={reject && commented}
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
