import { NavLink, type NavLinkProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorTag } from './route-links';

/** A navigation entry that links to a page of the studio. The first page has none, and does not load its component. */
export const RouteNavLink = createLink((props: NavLinkProps & AnchorTag) => (
  <NavLink component="a" {...props} />
));
