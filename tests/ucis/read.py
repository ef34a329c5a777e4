# SPDX-License-Identifier: MIT OR Apache-2.0
"""Prints the bins of a UCIS XML file as PyUCIS reads them, after it has held the file to the standard's schema: a covergroup,
a bin and its count a line, tabs between them."""

import sys

from ucis import UCIS_CVGBIN
from ucis.scope_type_t import ScopeTypeT
from ucis.xml import validate_ucis_xml
from ucis.xml.xml_reader import XmlReader

path = sys.argv[1]
with open(path) as file:
    validate_ucis_xml(file)
with open(path) as file:
    database = XmlReader().read(file)
for instance in database.scopes(ScopeTypeT.INSTANCE):
    for group in instance.scopes(ScopeTypeT.COVERGROUP):
        for point in group.scopes(ScopeTypeT.COVERPOINT):
            for bin in point.coverItems(UCIS_CVGBIN):
                print(group.getScopeName(), bin.getName(), bin.getCoverData().data, sep="\t")
