# Who publishes the project, and where: the one place for whatever names them. Sourced by the other scripts, in the repository's
# top folder.
#
# Who builds packages for others says so in DEBFULLNAME and DEBEMAIL, as for Debian's own tools, and PIXELBOOP_HOMEPAGE; else
# it is who made the last commit, and where the sources were cloned from, as far as browsers can open that.
project_maintainer=$(git log -1 --format='%an <%ae>' 2>/dev/null || true)
if [[ ${DEBEMAIL:-} ]]; then project_maintainer="${DEBFULLNAME:-${project_maintainer% <*}} <$DEBEMAIL>"; fi
[[ $project_maintainer == *?' <'*@*'>' ]] || {
    echo "$0: nobody is named as the maintainer: set DEBFULLNAME and DEBEMAIL" >&2
    exit 1
}
project_homepage=${PIXELBOOP_HOMEPAGE:-$(git remote get-url origin 2>/dev/null || true)}
if [[ $project_homepage =~ ^(https://|ssh://git@|git@)([^:/]+)[:/](.+)$ ]]; then
    project_homepage=https://${BASH_REMATCH[2]}/${BASH_REMATCH[3]%.git}
else
    project_homepage=
fi
