import { Button, type ButtonProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { useTranslation } from '../i18n/i18n';
import { ConfirmButton } from './confirm-button';
import { ProblemAlert } from './problem-alert';

interface ActionButtonProps extends ButtonProps {
  label: string;
  'aria-label'?: string;
  /** Whether it looks like one of several actions next to each other: small and grey. */
  isSmall?: boolean;
  /** @throws ApiProblem */
  act: () => Promise<unknown>;
}

const SMALL = { size: 'xs', variant: 'default' } as const;

/** A button that shows that its action is not finished, or why it failed. */
export function ActionButton({ label, act, isSmall = false, loading = false, ...look }: ActionButtonProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: act });
  return (
    <>
      <Button {...(isSmall && SMALL)} {...look} loading={loading || isPending} onClick={() => mutate()}>
        {label}
      </Button>
      {error && <ProblemAlert error={error} />}
    </>
  );
}

type ConfirmedActionProps = Omit<ComponentProps<typeof ConfirmButton>, 'onConfirm' | 'loading'> &
  Pick<ActionButtonProps, 'act'>;

/** Does something that cannot be undone, on a second press. */
export function ConfirmedAction({ act, ...look }: ConfirmedActionProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: act });
  return (
    <>
      <ConfirmButton {...look} loading={isPending} onConfirm={() => mutate()} />
      {error && <ProblemAlert error={error} />}
    </>
  );
}

type RemoveButtonProps = Omit<ConfirmedActionProps, 'label' | 'confirm'>;

/** Removes something that cannot be restored, on a second press. */
export function RemoveButton(props: RemoveButtonProps) {
  const { t } = useTranslation();
  return <ConfirmedAction label={t('knowledge.remove')} confirm={t('knowledge.removeNow')} {...props} />;
}
