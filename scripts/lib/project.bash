# The project's maintainer and homepage. Sourced by the other scripts, in the repository's top folder.
#
# A packager sets them in DEBFULLNAME and DEBEMAIL, as for Debian's own tools, and in PIXELBOOP_HOMEPAGE. By default they are the
# author of the last commit, and the address from which the sources were cloned, if browsers can open it.
project_maintainer=$(git log -1 --format='%an <%ae>' 2>/dev/null || true)
if [[ ${DEBEMAIL:-} ]]; then project_maintainer="${DEBFULLNAME:-${project_maintainer% <*}} <$DEBEMAIL>"; fi
[[ $project_maintainer == *?' <'*@*'>' ]] || {
    echo "$0: there is no maintainer: set DEBFULLNAME and DEBEMAIL" >&2
    exit 1
}
project_homepage=${PIXELBOOP_HOMEPAGE:-$(git remote get-url origin 2>/dev/null || true)}
if [[ $project_homepage =~ ^(https://|ssh://git@|git@)([^:/]+)[:/](.+)$ ]]; then
    project_homepage=https://${BASH_REMATCH[2]}/${BASH_REMATCH[3]%.git}
else
    project_homepage=
fi
