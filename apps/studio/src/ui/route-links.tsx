import { Anchor, type AnchorProps, NavLink, type NavLinkProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type AnchorTag = Omit<ComponentPropsWithRef<'a'>, keyof AnchorProps>;

/** A link to a page of the studio; its parameters are checked against the route. */
export const RouteAnchor = createLink((props: AnchorProps & AnchorTag) => <Anchor {...props} />);

/** A navigation entry that links to a page of the studio. The first page has none, and does without its component. */
export const RouteNavLink = createLink((props: NavLinkProps & AnchorTag) => (
  <NavLink component="a" {...props} />
));
