import { useMutation } from '@tanstack/react-query';
import { useTranslation } from '../i18n/i18n';
import { ConfirmButton } from './confirm-button';
import { ProblemAlert } from './problem-alert';

interface RemoveButtonProps {
  /** What is removed. */
  name: string;
  consequence?: string;
  /** @throws ApiProblem */
  remove: () => Promise<unknown>;
}

/** Removes something that cannot be restored, on a second press. */
export function RemoveButton({ name, consequence, remove }: RemoveButtonProps) {
  const { t } = useTranslation();
  const removing = useMutation({ mutationFn: remove });
  return (
    <>
      <ConfirmButton
        label={t('knowledge.remove')}
        confirm={t('knowledge.removeNow')}
        name={name}
        {...(consequence !== undefined && { consequence })}
        loading={removing.isPending}
        onConfirm={() => removing.mutate()}
      />
      {removing.error && <ProblemAlert error={removing.error} />}
    </>
  );
}
