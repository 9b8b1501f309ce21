"""Whether a document fits op.schema.json. Written by opgen.spec.schema_build; edit the schema instead."""

# ruff: noqa
# fmt: off
# mypy: ignore-errors
import re
from typing import Any


class Invalid(Exception):
    """The document does not fit; opgen.spec.schema says where and why."""


REGEX_PATTERNS = {
    '^[a-z][a-z0-9]*(_[a-z0-9]+)*$': re.compile('^[a-z][a-z0-9]*(_[a-z0-9]+)*\\Z'),
    '^[A-Za-z0-9][A-Za-z0-9_-]*$': re.compile('^[A-Za-z0-9][A-Za-z0-9_-]*\\Z'),
    '^(\\.\\./)+[A-Za-z0-9_-]+(/[A-Za-z0-9_.-]+)*$': re.compile('^(\\.\\./)+[A-Za-z0-9_-]+(/[A-Za-z0-9_.-]+)*\\Z'),
    '^OPG[0-8][0-9]{2}$': re.compile('^OPG[0-8][0-9]{2}\\Z'),
    '^[A-Za-z0-9_]+(/[A-Za-z0-9_]+)*\\.(h|cpp|cmake|sh)$': re.compile('^[A-Za-z0-9_]+(/[A-Za-z0-9_]+)*\\.(h|cpp|cmake|sh)\\Z'),
    '^(\\.\\.\\.|[A-Za-z][A-Za-z0-9_]*)$': re.compile('^(\\.\\.\\.|[A-Za-z][A-Za-z0-9_]*)\\Z'),
    '^(\\.\\.\\.|[A-Z][A-Za-z0-9]*)$': re.compile('^(\\.\\.\\.|[A-Z][A-Za-z0-9]*)\\Z'),
    '^[A-Za-z0-9_]+(/[A-Za-z0-9_]+)*\\.py$': re.compile('^[A-Za-z0-9_]+(/[A-Za-z0-9_]+)*\\.py\\Z'),
    '^[A-Za-z][A-Za-z0-9_]*$': re.compile('^[A-Za-z][A-Za-z0-9_]*\\Z'),
    '^[A-Z][A-Za-z0-9]*$': re.compile('^[A-Z][A-Za-z0-9]*\\Z')
}

def check(data: Any) -> Any:
    if not isinstance(data, (dict)):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['edition', 'scenario', 'summary']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if "edition" in data_keys:
            data_keys.remove("edition")
            data__edition = data["edition"]
            if not isinstance(data__edition, (int)) or isinstance(data__edition, bool):
                raise Invalid
            if not (isinstance(data__edition, (int, float)) and not isinstance(data__edition, bool) and data__edition == 1):
                raise Invalid
        if "op" in data_keys:
            data_keys.remove("op")
            data__op = data["op"]
            _check_op(data__op)
        if "ops" in data_keys:
            data_keys.remove("ops")
            data__ops = data["ops"]
            if not isinstance(data__ops, (list, tuple)):
                raise Invalid
            data__ops_is_list = isinstance(data__ops, (list, tuple))
            if data__ops_is_list:
                data__ops_len = len(data__ops)
                if data__ops_len < 1:
                    raise Invalid
                for data__ops_x, data__ops_item in enumerate(data__ops):
                    _check_operator(data__ops_item)
        if "name" in data_keys:
            data_keys.remove("name")
            data__name = data["name"]
            _check_name(data__name)
        if "project" in data_keys:
            data_keys.remove("project")
            data__project = data["project"]
            if not isinstance(data__project, (str)):
                raise Invalid
            if isinstance(data__project, str):
                data__project_len = len(data__project)
                if data__project_len > 64:
                    raise Invalid
                if not REGEX_PATTERNS['^[a-z][a-z0-9]*(_[a-z0-9]+)*$'].search(data__project):
                    raise Invalid
        if "scenario" in data_keys:
            data_keys.remove("scenario")
            data__scenario = data["scenario"]
            if not isinstance(data__scenario, (str)):
                raise Invalid
            if not (isinstance(data__scenario, str) and data__scenario == 'eager' or isinstance(data__scenario, str) and data__scenario == 'online' or isinstance(data__scenario, str) and data__scenario == 'offline' or isinstance(data__scenario, str) and data__scenario == 'pypto'):
                raise Invalid
        if "cann" in data_keys:
            data_keys.remove("cann")
            data__cann = data["cann"]
            if not isinstance(data__cann, (str)):
                raise Invalid
            if not (isinstance(data__cann, str) and data__cann == '9.1' or isinstance(data__cann, str) and data__cann == '9.2'):
                raise Invalid
        if "soc" in data_keys:
            data_keys.remove("soc")
            data__soc = data["soc"]
            if not isinstance(data__soc, (str)):
                raise Invalid
            if isinstance(data__soc, str):
                data__soc_len = len(data__soc)
                if data__soc_len > 32:
                    raise Invalid
                if not REGEX_PATTERNS['^[A-Za-z0-9][A-Za-z0-9_-]*$'].search(data__soc):
                    raise Invalid
        if "summary" in data_keys:
            data_keys.remove("summary")
            data__summary = data["summary"]
            _check_summary(data__summary)
        if "dtypes" in data_keys:
            data_keys.remove("dtypes")
            data__dtypes = data["dtypes"]
            _check_dtypes(data__dtypes)
        if "dims" in data_keys:
            data_keys.remove("dims")
            data__dims = data["dims"]
            _check_dims(data__dims)
        if "inputs" in data_keys:
            data_keys.remove("inputs")
            data__inputs = data["inputs"]
            _check_inputs(data__inputs)
        if "outputs" in data_keys:
            data_keys.remove("outputs")
            data__outputs = data["outputs"]
            _check_outputs(data__outputs)
        if "attrs" in data_keys:
            data_keys.remove("attrs")
            data__attrs = data["attrs"]
            _check_attrs(data__attrs)
        if "compute" in data_keys:
            data_keys.remove("compute")
            data__compute = data["compute"]
            _check_compute(data__compute)
        if "kernel" in data_keys:
            data_keys.remove("kernel")
            data__kernel = data["kernel"]
            _check_kernel(data__kernel)
        if "reference" in data_keys:
            data_keys.remove("reference")
            data__reference = data["reference"]
            _check_reference(data__reference)
        if "tiling" in data_keys:
            data_keys.remove("tiling")
            data__tiling = data["tiling"]
            _check_tiling(data__tiling)
        if "tests" in data_keys:
            data_keys.remove("tests")
            data__tests = data["tests"]
            _check_tests(data__tests)
        if "notes" in data_keys:
            data_keys.remove("notes")
            data__notes = data["notes"]
            _check_notes(data__notes)
        if "extra" in data_keys:
            data_keys.remove("extra")
            data__extra = data["extra"]
            _check_extra(data__extra)
        if "ignore" in data_keys:
            data_keys.remove("ignore")
            data__ignore = data["ignore"]
            _check_ignore(data__ignore)
        if "neighbour" in data_keys:
            data_keys.remove("neighbour")
            data__neighbour = data["neighbour"]
            if not isinstance(data__neighbour, (str)):
                raise Invalid
            if isinstance(data__neighbour, str):
                data__neighbour_len = len(data__neighbour)
                if data__neighbour_len > 256:
                    raise Invalid
                if not REGEX_PATTERNS['^(\\.\\./)+[A-Za-z0-9_-]+(/[A-Za-z0-9_.-]+)*$'].search(data__neighbour):
                    raise Invalid
        if data_keys:
            raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['ops']) - data.keys()
            if data__missing_keys:
                raise Invalid
    except Invalid:
        _check_complete(data)
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['project']) - data.keys()
            if data__missing_keys:
                raise Invalid
            data_keys = set(data.keys())
            if "op" in data_keys:
                data_keys.remove("op")
                data__op = data["op"]
                raise Invalid
            if "name" in data_keys:
                data_keys.remove("name")
                data__name = data["name"]
                raise Invalid
            if "dtypes" in data_keys:
                data_keys.remove("dtypes")
                data__dtypes = data["dtypes"]
                raise Invalid
            if "dims" in data_keys:
                data_keys.remove("dims")
                data__dims = data["dims"]
                raise Invalid
            if "inputs" in data_keys:
                data_keys.remove("inputs")
                data__inputs = data["inputs"]
                raise Invalid
            if "outputs" in data_keys:
                data_keys.remove("outputs")
                data__outputs = data["outputs"]
                raise Invalid
            if "attrs" in data_keys:
                data_keys.remove("attrs")
                data__attrs = data["attrs"]
                raise Invalid
            if "compute" in data_keys:
                data_keys.remove("compute")
                data__compute = data["compute"]
                raise Invalid
            if "kernel" in data_keys:
                data_keys.remove("kernel")
                data__kernel = data["kernel"]
                raise Invalid
            if "reference" in data_keys:
                data_keys.remove("reference")
                data__reference = data["reference"]
                raise Invalid
            if "tiling" in data_keys:
                data_keys.remove("tiling")
                data__tiling = data["tiling"]
                raise Invalid
            if "tests" in data_keys:
                data_keys.remove("tests")
                data__tests = data["tests"]
                raise Invalid
    return data

def _check_complete(data):
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['op', 'inputs', 'outputs']) - data.keys()
        if data__missing_keys:
            raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['kernel']) - data.keys()
            if data__missing_keys:
                raise Invalid
    except Invalid:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['compute']) - data.keys()
            if data__missing_keys:
                raise Invalid
            data_keys = set(data.keys())
            if "reference" in data_keys:
                data_keys.remove("reference")
                data__reference = data["reference"]
                raise Invalid
    else:
        try:
            data_is_dict = isinstance(data, dict)
            if data_is_dict:
                data__missing_keys = set(['reference']) - data.keys()
                if data__missing_keys:
                    raise Invalid
        except Invalid:
            pass
        else:
            data_is_dict = isinstance(data, dict)
            if data_is_dict:
                data_keys = set(data.keys())
                if "compute" in data_keys:
                    data_keys.remove("compute")
                    data__compute = data["compute"]
                    raise Invalid
    return data

def _check_ignore(data):
    if not isinstance(data, (list, tuple)):
        raise Invalid
    data_is_list = isinstance(data, (list, tuple))
    if data_is_list:
        data_len = len(data)
        if data_len < 1:
            raise Invalid
        for data_x, data_item in enumerate(data):
            if not isinstance(data_item, (dict)):
                raise Invalid
            data_item_is_dict = isinstance(data_item, dict)
            if data_item_is_dict:
                data_item__missing_keys = set(['rule', 'why']) - data_item.keys()
                if data_item__missing_keys:
                    raise Invalid
                data_item_keys = set(data_item.keys())
                if "rule" in data_item_keys:
                    data_item_keys.remove("rule")
                    data_item__rule = data_item["rule"]
                    if not isinstance(data_item__rule, (str)):
                        raise Invalid
                    if isinstance(data_item__rule, str):
                        if not REGEX_PATTERNS['^OPG[0-8][0-9]{2}$'].search(data_item__rule):
                            raise Invalid
                if "why" in data_item_keys:
                    data_item_keys.remove("why")
                    data_item__why = data_item["why"]
                    if not isinstance(data_item__why, (str)):
                        raise Invalid
                    if isinstance(data_item__why, str):
                        data_item__why_len = len(data_item__why)
                        if data_item__why_len < 1:
                            raise Invalid
                if data_item_keys:
                    raise Invalid
    return data

def _check_extra(data):
    if not isinstance(data, (list, tuple)):
        raise Invalid
    data_is_list = isinstance(data, (list, tuple))
    if data_is_list:
        data_len = len(data)
        if data_len < 1:
            raise Invalid
        def fn(var): return frozenset(dict((k, fn(v)) for k, v in var.items()).items()) if hasattr(var, "items") else tuple(fn(v) for v in var) if isinstance(var, (dict, list)) else (bool, var) if isinstance(var, bool) else var
        if data_len > len(set(fn(data_x) for data_x in data)):
            raise Invalid
        for data_x, data_item in enumerate(data):
            if not isinstance(data_item, (str)):
                raise Invalid
            if isinstance(data_item, str):
                data_item_len = len(data_item)
                if data_item_len > 128:
                    raise Invalid
                if not REGEX_PATTERNS['^[A-Za-z0-9_]+(/[A-Za-z0-9_]+)*\\.(h|cpp|cmake|sh)$'].search(data_item):
                    raise Invalid
    return data

def _check_notes(data):
    if not isinstance(data, (list, tuple)):
        raise Invalid
    data_is_list = isinstance(data, (list, tuple))
    if data_is_list:
        data_len = len(data)
        if data_len < 1:
            raise Invalid
        for data_x, data_item in enumerate(data):
            _check_text(data_item)
    return data

def _check_text(data):
    if not isinstance(data, (dict)):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['en', 'zh']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if "en" in data_keys:
            data_keys.remove("en")
            data__en = data["en"]
            if not isinstance(data__en, (str)):
                raise Invalid
            if isinstance(data__en, str):
                data__en_len = len(data__en)
                if data__en_len < 1:
                    raise Invalid
        if "zh" in data_keys:
            data_keys.remove("zh")
            data__zh = data["zh"]
            if not isinstance(data__zh, (str)):
                raise Invalid
            if isinstance(data__zh, str):
                data__zh_len = len(data__zh)
                if data__zh_len < 1:
                    raise Invalid
        if data_keys:
            raise Invalid
    return data

def _check_tests(data):
    if not isinstance(data, (dict)):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data_len = len(data)
        if data_len < 1:
            raise Invalid
        data_keys = set(data.keys())
        if "cases" in data_keys:
            data_keys.remove("cases")
            data__cases = data["cases"]
            if not isinstance(data__cases, (list, tuple)):
                raise Invalid
            data__cases_is_list = isinstance(data__cases, (list, tuple))
            if data__cases_is_list:
                data__cases_len = len(data__cases)
                if data__cases_len < 1:
                    raise Invalid
                if data__cases_len > 256:
                    raise Invalid
                for data__cases_x, data__cases_item in enumerate(data__cases):
                    if not isinstance(data__cases_item, (dict)):
                        raise Invalid
                    data__cases_item_is_dict = isinstance(data__cases_item, dict)
                    if data__cases_item_is_dict:
                        data__cases_item_keys = set(data__cases_item.keys())
                        if "..." in data__cases_item_keys:
                            data__cases_item_keys.remove("...")
                            data__cases_item__ = data__cases_item["..."]
                            if not isinstance(data__cases_item__, (list, tuple)):
                                raise Invalid
                            data__cases_item___is_list = isinstance(data__cases_item__, (list, tuple))
                            if data__cases_item___is_list:
                                data__cases_item___len = len(data__cases_item__)
                                if data__cases_item___len > 7:
                                    raise Invalid
                                for data__cases_item___x, data__cases_item___item in enumerate(data__cases_item__):
                                    if not isinstance(data__cases_item___item, (int)) or isinstance(data__cases_item___item, bool):
                                        raise Invalid
                                    if isinstance(data__cases_item___item, (int, float)) and not isinstance(data__cases_item___item, bool):
                                        if data__cases_item___item < 1:
                                            raise Invalid
                                        if data__cases_item___item > 2147483647:
                                            raise Invalid
                        for data__cases_item_key in data__cases_item_keys:
                            if data__cases_item_key not in ['...']:
                                data__cases_item_value = data__cases_item.get(data__cases_item_key)
                                if not isinstance(data__cases_item_value, (int, float, bool, str, list, tuple)):
                                    raise Invalid
                                data__cases_item_value_is_list = isinstance(data__cases_item_value, (list, tuple))
                                if data__cases_item_value_is_list:
                                    data__cases_item_value_len = len(data__cases_item_value)
                                    for data__cases_item_value_x, data__cases_item_value_item in enumerate(data__cases_item_value):
                                        if not isinstance(data__cases_item_value_item, (int, float)) or isinstance(data__cases_item_value_item, bool):
                                            raise Invalid
                        data__cases_item_len = len(data__cases_item)
                        if data__cases_item_len != 0:
                            data__cases_item_property_names = True
                            for data__cases_item_key in data__cases_item:
                                try:
                                    if isinstance(data__cases_item_key, str):
                                        if not REGEX_PATTERNS['^(\\.\\.\\.|[A-Za-z][A-Za-z0-9_]*)$'].search(data__cases_item_key):
                                            raise Invalid
                                except Invalid:
                                    data__cases_item_property_names = False
                            if not data__cases_item_property_names:
                                raise Invalid
        if "tolerance" in data_keys:
            data_keys.remove("tolerance")
            data__tolerance = data["tolerance"]
            if not isinstance(data__tolerance, (dict)):
                raise Invalid
            data__tolerance_is_dict = isinstance(data__tolerance, dict)
            if data__tolerance_is_dict:
                data__tolerance_len = len(data__tolerance)
                if data__tolerance_len < 1:
                    raise Invalid
                data__tolerance_keys = set(data__tolerance.keys())
                for data__tolerance_key in data__tolerance_keys:
                    if data__tolerance_key not in []:
                        data__tolerance_value = data__tolerance.get(data__tolerance_key)
                        if not isinstance(data__tolerance_value, (int, float)) or isinstance(data__tolerance_value, bool):
                            raise Invalid
                        if isinstance(data__tolerance_value, (int, float)) and not isinstance(data__tolerance_value, bool):
                            if data__tolerance_value < 0:
                                raise Invalid
                            if data__tolerance_value > 100:
                                raise Invalid
                if data__tolerance_len != 0:
                    data__tolerance_property_names = True
                    for data__tolerance_key in data__tolerance:
                        try:
                            _check_dtype(data__tolerance_key)
                        except Invalid:
                            data__tolerance_property_names = False
                    if not data__tolerance_property_names:
                        raise Invalid
        if data_keys:
            raise Invalid
    return data

def _check_dtype(data):
    if not isinstance(data, (str)):
        raise Invalid
    if not (isinstance(data, str) and data == 'float32' or isinstance(data, str) and data == 'float16' or isinstance(data, str) and data == 'bfloat16' or isinstance(data, str) and data == 'int8' or isinstance(data, str) and data == 'int16' or isinstance(data, str) and data == 'int32' or isinstance(data, str) and data == 'int64' or isinstance(data, str) and data == 'uint8' or isinstance(data, str) and data == 'uint16' or isinstance(data, str) and data == 'uint32' or isinstance(data, str) and data == 'uint64' or isinstance(data, str) and data == 'bool'):
        raise Invalid
    return data

def _check_tiling(data):
    if not isinstance(data, (dict)):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data_len = len(data)
        if data_len < 1:
            raise Invalid
        data_keys = set(data.keys())
        if "block" in data_keys:
            data_keys.remove("block")
            data__block = data["block"]
            if not isinstance(data__block, (int, str, dict)) or isinstance(data__block, bool):
                raise Invalid
            if isinstance(data__block, str):
                data__block_len = len(data__block)
                if data__block_len < 1:
                    raise Invalid
                if data__block_len > 256:
                    raise Invalid
            if isinstance(data__block, (int, float)) and not isinstance(data__block, bool):
                if data__block < 1:
                    raise Invalid
                if data__block > 2147483647:
                    raise Invalid
            data__block_is_dict = isinstance(data__block, dict)
            if data__block_is_dict:
                data__block_len = len(data__block)
                if data__block_len < 1:
                    raise Invalid
                data__block_keys = set(data__block.keys())
                for data__block_key in data__block_keys:
                    if data__block_key not in []:
                        data__block_value = data__block.get(data__block_key)
                        if not isinstance(data__block_value, (int, str)) or isinstance(data__block_value, bool):
                            raise Invalid
                        if isinstance(data__block_value, str):
                            data__block_value_len = len(data__block_value)
                            if data__block_value_len < 1:
                                raise Invalid
                            if data__block_value_len > 256:
                                raise Invalid
                        if isinstance(data__block_value, (int, float)) and not isinstance(data__block_value, bool):
                            if data__block_value < 1:
                                raise Invalid
                            if data__block_value > 2147483647:
                                raise Invalid
                if data__block_len != 0:
                    data__block_property_names = True
                    for data__block_key in data__block:
                        try:
                            if isinstance(data__block_key, str):
                                if not REGEX_PATTERNS['^(\\.\\.\\.|[A-Z][A-Za-z0-9]*)$'].search(data__block_key):
                                    raise Invalid
                        except Invalid:
                            data__block_property_names = False
                    if not data__block_property_names:
                        raise Invalid
        if "buffers" in data_keys:
            data_keys.remove("buffers")
            data__buffers = data["buffers"]
            if not isinstance(data__buffers, (int, str)) or isinstance(data__buffers, bool):
                raise Invalid
            if isinstance(data__buffers, str):
                data__buffers_len = len(data__buffers)
                if data__buffers_len < 1:
                    raise Invalid
                if data__buffers_len > 256:
                    raise Invalid
            if isinstance(data__buffers, (int, float)) and not isinstance(data__buffers, bool):
                if data__buffers < 1:
                    raise Invalid
                if data__buffers > 2:
                    raise Invalid
        if "cores" in data_keys:
            data_keys.remove("cores")
            data__cores = data["cores"]
            if not isinstance(data__cores, (int, str)) or isinstance(data__cores, bool):
                raise Invalid
            if isinstance(data__cores, str):
                data__cores_len = len(data__cores)
                if data__cores_len < 1:
                    raise Invalid
                if data__cores_len > 256:
                    raise Invalid
            if isinstance(data__cores, (int, float)) and not isinstance(data__cores, bool):
                if data__cores < 1:
                    raise Invalid
                if data__cores > 65535:
                    raise Invalid
        if "workspace" in data_keys:
            data_keys.remove("workspace")
            data__workspace = data["workspace"]
            if not isinstance(data__workspace, (int, str)) or isinstance(data__workspace, bool):
                raise Invalid
            if isinstance(data__workspace, str):
                data__workspace_len = len(data__workspace)
                if data__workspace_len < 1:
                    raise Invalid
                if data__workspace_len > 256:
                    raise Invalid
            if isinstance(data__workspace, (int, float)) and not isinstance(data__workspace, bool):
                if data__workspace < 0:
                    raise Invalid
                if data__workspace > 9223372036854775807:
                    raise Invalid
        if "data" in data_keys:
            data_keys.remove("data")
            data__data = data["data"]
            if not isinstance(data__data, (list, tuple)):
                raise Invalid
            data__data_is_list = isinstance(data__data, (list, tuple))
            if data__data_is_list:
                data__data_len = len(data__data)
                if data__data_len < 1:
                    raise Invalid
                for data__data_x, data__data_item in enumerate(data__data):
                    if not isinstance(data__data_item, (dict)):
                        raise Invalid
                    data__data_item_is_dict = isinstance(data__data_item, dict)
                    if data__data_item_is_dict:
                        data__data_item__missing_keys = set(['name', 'value']) - data__data_item.keys()
                        if data__data_item__missing_keys:
                            raise Invalid
                        data__data_item_keys = set(data__data_item.keys())
                        if "name" in data__data_item_keys:
                            data__data_item_keys.remove("name")
                            data__data_item__name = data__data_item["name"]
                            _check_tensorname(data__data_item__name)
                        if "value" in data__data_item_keys:
                            data__data_item_keys.remove("value")
                            data__data_item__value = data__data_item["value"]
                            if not isinstance(data__data_item__value, (int, float, bool, str, list, tuple)):
                                raise Invalid
                            if isinstance(data__data_item__value, str):
                                data__data_item__value_len = len(data__data_item__value)
                                if data__data_item__value_len < 1:
                                    raise Invalid
                                if data__data_item__value_len > 256:
                                    raise Invalid
                            data__data_item__value_is_list = isinstance(data__data_item__value, (list, tuple))
                            if data__data_item__value_is_list:
                                data__data_item__value_len = len(data__data_item__value)
                                if data__data_item__value_len < 1:
                                    raise Invalid
                                if data__data_item__value_len > 2048:
                                    raise Invalid
                                for data__data_item__value_x, data__data_item__value_item in enumerate(data__data_item__value):
                                    if not isinstance(data__data_item__value_item, (int, float, bool, str)):
                                        raise Invalid
                                    if isinstance(data__data_item__value_item, str):
                                        data__data_item__value_item_len = len(data__data_item__value_item)
                                        if data__data_item__value_item_len < 1:
                                            raise Invalid
                                        if data__data_item__value_item_len > 256:
                                            raise Invalid
                        if "doc" in data__data_item_keys:
                            data__data_item_keys.remove("doc")
                            data__data_item__doc = data__data_item["doc"]
                            _check_doc(data__data_item__doc)
                        if data__data_item_keys:
                            raise Invalid
        if "key" in data_keys:
            data_keys.remove("key")
            data__key = data["key"]
            if not isinstance(data__key, (list, tuple)):
                raise Invalid
            data__key_is_list = isinstance(data__key, (list, tuple))
            if data__key_is_list:
                data__key_len = len(data__key)
                if data__key_len < 1:
                    raise Invalid
                for data__key_x, data__key_item in enumerate(data__key):
                    if not isinstance(data__key_item, (dict)):
                        raise Invalid
                    data__key_item_is_dict = isinstance(data__key_item, dict)
                    if data__key_item_is_dict:
                        data__key_item__missing_keys = set(['name', 'values', 'value']) - data__key_item.keys()
                        if data__key_item__missing_keys:
                            raise Invalid
                        data__key_item_keys = set(data__key_item.keys())
                        if "name" in data__key_item_keys:
                            data__key_item_keys.remove("name")
                            data__key_item__name = data__key_item["name"]
                            _check_tensorname(data__key_item__name)
                        if "bits" in data__key_item_keys:
                            data__key_item_keys.remove("bits")
                            data__key_item__bits = data__key_item["bits"]
                            if not isinstance(data__key_item__bits, (int)) or isinstance(data__key_item__bits, bool):
                                raise Invalid
                            if isinstance(data__key_item__bits, (int, float)) and not isinstance(data__key_item__bits, bool):
                                if data__key_item__bits < 1:
                                    raise Invalid
                                if data__key_item__bits > 64:
                                    raise Invalid
                        if "values" in data__key_item_keys:
                            data__key_item_keys.remove("values")
                            data__key_item__values = data__key_item["values"]
                            if not isinstance(data__key_item__values, (list, tuple)):
                                raise Invalid
                            data__key_item__values_is_list = isinstance(data__key_item__values, (list, tuple))
                            if data__key_item__values_is_list:
                                data__key_item__values_len = len(data__key_item__values)
                                if data__key_item__values_len < 1:
                                    raise Invalid
                                def fn(var): return frozenset(dict((k, fn(v)) for k, v in var.items()).items()) if hasattr(var, "items") else tuple(fn(v) for v in var) if isinstance(var, (dict, list)) else (bool, var) if isinstance(var, bool) else var
                                if data__key_item__values_len > len(set(fn(data__key_item__values_x) for data__key_item__values_x in data__key_item__values)):
                                    raise Invalid
                                for data__key_item__values_x, data__key_item__values_item in enumerate(data__key_item__values):
                                    if not isinstance(data__key_item__values_item, (int)) or isinstance(data__key_item__values_item, bool):
                                        raise Invalid
                                    if isinstance(data__key_item__values_item, (int, float)) and not isinstance(data__key_item__values_item, bool):
                                        if data__key_item__values_item < 0:
                                            raise Invalid
                                        if data__key_item__values_item > 9223372036854775807:
                                            raise Invalid
                        if "value" in data__key_item_keys:
                            data__key_item_keys.remove("value")
                            data__key_item__value = data__key_item["value"]
                            if not isinstance(data__key_item__value, (int, str)) or isinstance(data__key_item__value, bool):
                                raise Invalid
                            if isinstance(data__key_item__value, str):
                                data__key_item__value_len = len(data__key_item__value)
                                if data__key_item__value_len < 1:
                                    raise Invalid
                                if data__key_item__value_len > 256:
                                    raise Invalid
                        if "doc" in data__key_item_keys:
                            data__key_item_keys.remove("doc")
                            data__key_item__doc = data__key_item["doc"]
                            _check_doc(data__key_item__doc)
                        if data__key_item_keys:
                            raise Invalid
        if data_keys:
            raise Invalid
    return data

def _check_doc(data):
    if not isinstance(data, (dict)):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['en', 'zh']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if "en" in data_keys:
            data_keys.remove("en")
            data__en = data["en"]
            if not isinstance(data__en, (str)):
                raise Invalid
            if isinstance(data__en, str):
                data__en_len = len(data__en)
                if data__en_len < 1:
                    raise Invalid
        if "zh" in data_keys:
            data_keys.remove("zh")
            data__zh = data["zh"]
            if not isinstance(data__zh, (str)):
                raise Invalid
            if isinstance(data__zh, str):
                data__zh_len = len(data__zh)
                if data__zh_len < 1:
                    raise Invalid
        if data_keys:
            raise Invalid
    return data

def _check_tensorname(data):
    if not isinstance(data, (str)):
        raise Invalid
    if isinstance(data, str):
        data_len = len(data)
        if data_len > 64:
            raise Invalid
        if not REGEX_PATTERNS['^[a-z][a-z0-9]*(_[a-z0-9]+)*$'].search(data):
            raise Invalid
    return data

def _check_reference(data):
    if not isinstance(data, (str)):
        raise Invalid
    if isinstance(data, str):
        data_len = len(data)
        if data_len > 128:
            raise Invalid
        if not REGEX_PATTERNS['^[A-Za-z0-9_]+(/[A-Za-z0-9_]+)*\\.py$'].search(data):
            raise Invalid
    return data

def _check_kernel(data):
    if not isinstance(data, (str)):
        raise Invalid
    if isinstance(data, str):
        data_len = len(data)
        if data_len > 128:
            raise Invalid
        if not REGEX_PATTERNS['^[A-Za-z0-9_]+(/[A-Za-z0-9_]+)*\\.py$'].search(data):
            raise Invalid
    return data

def _check_compute(data):
    if not isinstance(data, (str)):
        raise Invalid
    if isinstance(data, str):
        data_len = len(data)
        if data_len < 1:
            raise Invalid
        if data_len > 65536:
            raise Invalid
    return data

def _check_attrs(data):
    if not isinstance(data, (list, tuple)):
        raise Invalid
    data_is_list = isinstance(data, (list, tuple))
    if data_is_list:
        data_len = len(data)
        if data_len < 1:
            raise Invalid
        for data_x, data_item in enumerate(data):
            if not isinstance(data_item, (dict)):
                raise Invalid
            try:
                data_item_is_dict = isinstance(data_item, dict)
                if data_item_is_dict:
                    data_item__missing_keys = set(['type']) - data_item.keys()
                    if data_item__missing_keys:
                        raise Invalid
                    data_item_keys = set(data_item.keys())
                    if "type" in data_item_keys:
                        data_item_keys.remove("type")
                        data_item__type = data_item["type"]
                        if not (isinstance(data_item__type, str) and data_item__type == 'bool'):
                            raise Invalid
            except Invalid:
                pass
            else:
                data_item_is_dict = isinstance(data_item, dict)
                if data_item_is_dict:
                    data_item_keys = set(data_item.keys())
                    if "default" in data_item_keys:
                        data_item_keys.remove("default")
                        data_item__default = data_item["default"]
                        if not isinstance(data_item__default, (bool)):
                            raise Invalid
                    if "values" in data_item_keys:
                        data_item_keys.remove("values")
                        data_item__values = data_item["values"]
                        raise Invalid
                    if "min" in data_item_keys:
                        data_item_keys.remove("min")
                        data_item__min = data_item["min"]
                        raise Invalid
                    if "max" in data_item_keys:
                        data_item_keys.remove("max")
                        data_item__max = data_item["max"]
                        raise Invalid
                    if "dynamic" in data_item_keys:
                        data_item_keys.remove("dynamic")
                        data_item__dynamic = data_item["dynamic"]
                        raise Invalid
            try:
                data_item_is_dict = isinstance(data_item, dict)
                if data_item_is_dict:
                    data_item__missing_keys = set(['type']) - data_item.keys()
                    if data_item__missing_keys:
                        raise Invalid
                    data_item_keys = set(data_item.keys())
                    if "type" in data_item_keys:
                        data_item_keys.remove("type")
                        data_item__type = data_item["type"]
                        if not (isinstance(data_item__type, str) and data_item__type == 'int'):
                            raise Invalid
            except Invalid:
                pass
            else:
                data_item_is_dict = isinstance(data_item, dict)
                if data_item_is_dict:
                    data_item_keys = set(data_item.keys())
                    if "default" in data_item_keys:
                        data_item_keys.remove("default")
                        data_item__default = data_item["default"]
                        if not isinstance(data_item__default, (int)) or isinstance(data_item__default, bool):
                            raise Invalid
                        if isinstance(data_item__default, (int, float)) and not isinstance(data_item__default, bool):
                            if data_item__default < -9223372036854775808:
                                raise Invalid
                            if data_item__default > 9223372036854775807:
                                raise Invalid
                    if "values" in data_item_keys:
                        data_item_keys.remove("values")
                        data_item__values = data_item["values"]
                        data_item__values_is_list = isinstance(data_item__values, (list, tuple))
                        if data_item__values_is_list:
                            data_item__values_len = len(data_item__values)
                            for data_item__values_x, data_item__values_item in enumerate(data_item__values):
                                if not isinstance(data_item__values_item, (int)) or isinstance(data_item__values_item, bool):
                                    raise Invalid
                                if isinstance(data_item__values_item, (int, float)) and not isinstance(data_item__values_item, bool):
                                    if data_item__values_item < -9223372036854775808:
                                        raise Invalid
                                    if data_item__values_item > 9223372036854775807:
                                        raise Invalid
                    if "min" in data_item_keys:
                        data_item_keys.remove("min")
                        data_item__min = data_item["min"]
                        if not isinstance(data_item__min, (int)) or isinstance(data_item__min, bool):
                            raise Invalid
                        if isinstance(data_item__min, (int, float)) and not isinstance(data_item__min, bool):
                            if data_item__min < -9223372036854775808:
                                raise Invalid
                            if data_item__min > 9223372036854775807:
                                raise Invalid
                    if "max" in data_item_keys:
                        data_item_keys.remove("max")
                        data_item__max = data_item["max"]
                        if not isinstance(data_item__max, (int)) or isinstance(data_item__max, bool):
                            raise Invalid
                        if isinstance(data_item__max, (int, float)) and not isinstance(data_item__max, bool):
                            if data_item__max < -9223372036854775808:
                                raise Invalid
                            if data_item__max > 9223372036854775807:
                                raise Invalid
            try:
                data_item_is_dict = isinstance(data_item, dict)
                if data_item_is_dict:
                    data_item__missing_keys = set(['type']) - data_item.keys()
                    if data_item__missing_keys:
                        raise Invalid
                    data_item_keys = set(data_item.keys())
                    if "type" in data_item_keys:
                        data_item_keys.remove("type")
                        data_item__type = data_item["type"]
                        if not (isinstance(data_item__type, str) and data_item__type == 'float'):
                            raise Invalid
            except Invalid:
                pass
            else:
                data_item_is_dict = isinstance(data_item, dict)
                if data_item_is_dict:
                    data_item_keys = set(data_item.keys())
                    if "default" in data_item_keys:
                        data_item_keys.remove("default")
                        data_item__default = data_item["default"]
                        if not isinstance(data_item__default, (int, float)) or isinstance(data_item__default, bool):
                            raise Invalid
                    if "values" in data_item_keys:
                        data_item_keys.remove("values")
                        data_item__values = data_item["values"]
                        data_item__values_is_list = isinstance(data_item__values, (list, tuple))
                        if data_item__values_is_list:
                            data_item__values_len = len(data_item__values)
                            for data_item__values_x, data_item__values_item in enumerate(data_item__values):
                                if not isinstance(data_item__values_item, (int, float)) or isinstance(data_item__values_item, bool):
                                    raise Invalid
            try:
                data_item_is_dict = isinstance(data_item, dict)
                if data_item_is_dict:
                    data_item__missing_keys = set(['type']) - data_item.keys()
                    if data_item__missing_keys:
                        raise Invalid
                    data_item_keys = set(data_item.keys())
                    if "type" in data_item_keys:
                        data_item_keys.remove("type")
                        data_item__type = data_item["type"]
                        if not (isinstance(data_item__type, str) and data_item__type == 'string'):
                            raise Invalid
            except Invalid:
                pass
            else:
                data_item_is_dict = isinstance(data_item, dict)
                if data_item_is_dict:
                    data_item__missing_keys = set(['values']) - data_item.keys()
                    if data_item__missing_keys:
                        raise Invalid
                    data_item_keys = set(data_item.keys())
                    if "default" in data_item_keys:
                        data_item_keys.remove("default")
                        data_item__default = data_item["default"]
                        if not isinstance(data_item__default, (str)):
                            raise Invalid
                    if "values" in data_item_keys:
                        data_item_keys.remove("values")
                        data_item__values = data_item["values"]
                        data_item__values_is_list = isinstance(data_item__values, (list, tuple))
                        if data_item__values_is_list:
                            data_item__values_len = len(data_item__values)
                            for data_item__values_x, data_item__values_item in enumerate(data_item__values):
                                if not isinstance(data_item__values_item, (str)):
                                    raise Invalid
                                if isinstance(data_item__values_item, str):
                                    data_item__values_item_len = len(data_item__values_item)
                                    if data_item__values_item_len > 64:
                                        raise Invalid
                                    if not REGEX_PATTERNS['^[A-Za-z][A-Za-z0-9_]*$'].search(data_item__values_item):
                                        raise Invalid
                    if "min" in data_item_keys:
                        data_item_keys.remove("min")
                        data_item__min = data_item["min"]
                        raise Invalid
                    if "max" in data_item_keys:
                        data_item_keys.remove("max")
                        data_item__max = data_item["max"]
                        raise Invalid
                    if "dynamic" in data_item_keys:
                        data_item_keys.remove("dynamic")
                        data_item__dynamic = data_item["dynamic"]
                        raise Invalid
            try:
                data_item_is_dict = isinstance(data_item, dict)
                if data_item_is_dict:
                    data_item__missing_keys = set(['type']) - data_item.keys()
                    if data_item__missing_keys:
                        raise Invalid
                    data_item_keys = set(data_item.keys())
                    if "type" in data_item_keys:
                        data_item_keys.remove("type")
                        data_item__type = data_item["type"]
                        if not (isinstance(data_item__type, str) and data_item__type == 'dtype'):
                            raise Invalid
            except Invalid:
                pass
            else:
                data_item_is_dict = isinstance(data_item, dict)
                if data_item_is_dict:
                    data_item__missing_keys = set(['values']) - data_item.keys()
                    if data_item__missing_keys:
                        raise Invalid
                    data_item_keys = set(data_item.keys())
                    if "default" in data_item_keys:
                        data_item_keys.remove("default")
                        data_item__default = data_item["default"]
                        _check_dtype(data_item__default)
                    if "values" in data_item_keys:
                        data_item_keys.remove("values")
                        data_item__values = data_item["values"]
                        _check_dtypelist(data_item__values)
                    if "min" in data_item_keys:
                        data_item_keys.remove("min")
                        data_item__min = data_item["min"]
                        raise Invalid
                    if "max" in data_item_keys:
                        data_item_keys.remove("max")
                        data_item__max = data_item["max"]
                        raise Invalid
                    if "dynamic" in data_item_keys:
                        data_item_keys.remove("dynamic")
                        data_item__dynamic = data_item["dynamic"]
                        raise Invalid
            try:
                data_item_is_dict = isinstance(data_item, dict)
                if data_item_is_dict:
                    data_item__missing_keys = set(['type']) - data_item.keys()
                    if data_item__missing_keys:
                        raise Invalid
                    data_item_keys = set(data_item.keys())
                    if "type" in data_item_keys:
                        data_item_keys.remove("type")
                        data_item__type = data_item["type"]
                        if not (isinstance(data_item__type, str) and data_item__type == 'ints'):
                            raise Invalid
            except Invalid:
                pass
            else:
                data_item_is_dict = isinstance(data_item, dict)
                if data_item_is_dict:
                    data_item_keys = set(data_item.keys())
                    if "default" in data_item_keys:
                        data_item_keys.remove("default")
                        data_item__default = data_item["default"]
                        if not isinstance(data_item__default, (list, tuple)):
                            raise Invalid
                        data_item__default_is_list = isinstance(data_item__default, (list, tuple))
                        if data_item__default_is_list:
                            data_item__default_len = len(data_item__default)
                            if data_item__default_len > 64:
                                raise Invalid
                            for data_item__default_x, data_item__default_item in enumerate(data_item__default):
                                if not isinstance(data_item__default_item, (int)) or isinstance(data_item__default_item, bool):
                                    raise Invalid
                                if isinstance(data_item__default_item, (int, float)) and not isinstance(data_item__default_item, bool):
                                    if data_item__default_item < -9223372036854775808:
                                        raise Invalid
                                    if data_item__default_item > 9223372036854775807:
                                        raise Invalid
                    if "values" in data_item_keys:
                        data_item_keys.remove("values")
                        data_item__values = data_item["values"]
                        data_item__values_is_list = isinstance(data_item__values, (list, tuple))
                        if data_item__values_is_list:
                            data_item__values_len = len(data_item__values)
                            for data_item__values_x, data_item__values_item in enumerate(data_item__values):
                                if not isinstance(data_item__values_item, (list, tuple)):
                                    raise Invalid
                                data_item__values_item_is_list = isinstance(data_item__values_item, (list, tuple))
                                if data_item__values_item_is_list:
                                    data_item__values_item_len = len(data_item__values_item)
                                    if data_item__values_item_len > 64:
                                        raise Invalid
                                    for data_item__values_item_x, data_item__values_item_item in enumerate(data_item__values_item):
                                        if not isinstance(data_item__values_item_item, (int)) or isinstance(data_item__values_item_item, bool):
                                            raise Invalid
                                        if isinstance(data_item__values_item_item, (int, float)) and not isinstance(data_item__values_item_item, bool):
                                            if data_item__values_item_item < -9223372036854775808:
                                                raise Invalid
                                            if data_item__values_item_item > 9223372036854775807:
                                                raise Invalid
                    if "min" in data_item_keys:
                        data_item_keys.remove("min")
                        data_item__min = data_item["min"]
                        raise Invalid
                    if "max" in data_item_keys:
                        data_item_keys.remove("max")
                        data_item__max = data_item["max"]
                        raise Invalid
                    if "dynamic" in data_item_keys:
                        data_item_keys.remove("dynamic")
                        data_item__dynamic = data_item["dynamic"]
                        raise Invalid
            try:
                data_item_is_dict = isinstance(data_item, dict)
                if data_item_is_dict:
                    data_item__missing_keys = set(['type']) - data_item.keys()
                    if data_item__missing_keys:
                        raise Invalid
                    data_item_keys = set(data_item.keys())
                    if "type" in data_item_keys:
                        data_item_keys.remove("type")
                        data_item__type = data_item["type"]
                        if not (isinstance(data_item__type, str) and data_item__type == 'floats'):
                            raise Invalid
            except Invalid:
                pass
            else:
                data_item_is_dict = isinstance(data_item, dict)
                if data_item_is_dict:
                    data_item_keys = set(data_item.keys())
                    if "default" in data_item_keys:
                        data_item_keys.remove("default")
                        data_item__default = data_item["default"]
                        if not isinstance(data_item__default, (list, tuple)):
                            raise Invalid
                        data_item__default_is_list = isinstance(data_item__default, (list, tuple))
                        if data_item__default_is_list:
                            data_item__default_len = len(data_item__default)
                            if data_item__default_len > 64:
                                raise Invalid
                            for data_item__default_x, data_item__default_item in enumerate(data_item__default):
                                if not isinstance(data_item__default_item, (int, float)) or isinstance(data_item__default_item, bool):
                                    raise Invalid
                    if "values" in data_item_keys:
                        data_item_keys.remove("values")
                        data_item__values = data_item["values"]
                        data_item__values_is_list = isinstance(data_item__values, (list, tuple))
                        if data_item__values_is_list:
                            data_item__values_len = len(data_item__values)
                            for data_item__values_x, data_item__values_item in enumerate(data_item__values):
                                if not isinstance(data_item__values_item, (list, tuple)):
                                    raise Invalid
                                data_item__values_item_is_list = isinstance(data_item__values_item, (list, tuple))
                                if data_item__values_item_is_list:
                                    data_item__values_item_len = len(data_item__values_item)
                                    if data_item__values_item_len > 64:
                                        raise Invalid
                                    for data_item__values_item_x, data_item__values_item_item in enumerate(data_item__values_item):
                                        if not isinstance(data_item__values_item_item, (int, float)) or isinstance(data_item__values_item_item, bool):
                                            raise Invalid
                    if "min" in data_item_keys:
                        data_item_keys.remove("min")
                        data_item__min = data_item["min"]
                        raise Invalid
                    if "max" in data_item_keys:
                        data_item_keys.remove("max")
                        data_item__max = data_item["max"]
                        raise Invalid
                    if "dynamic" in data_item_keys:
                        data_item_keys.remove("dynamic")
                        data_item__dynamic = data_item["dynamic"]
                        raise Invalid
            data_item_is_dict = isinstance(data_item, dict)
            if data_item_is_dict:
                data_item__missing_keys = set(['name', 'type']) - data_item.keys()
                if data_item__missing_keys:
                    raise Invalid
                data_item_keys = set(data_item.keys())
                if "name" in data_item_keys:
                    data_item_keys.remove("name")
                    data_item__name = data_item["name"]
                    _check_tensorname(data_item__name)
                if "type" in data_item_keys:
                    data_item_keys.remove("type")
                    data_item__type = data_item["type"]
                    if not isinstance(data_item__type, (str)):
                        raise Invalid
                    if not (isinstance(data_item__type, str) and data_item__type == 'bool' or isinstance(data_item__type, str) and data_item__type == 'int' or isinstance(data_item__type, str) and data_item__type == 'float' or isinstance(data_item__type, str) and data_item__type == 'string' or isinstance(data_item__type, str) and data_item__type == 'dtype' or isinstance(data_item__type, str) and data_item__type == 'ints' or isinstance(data_item__type, str) and data_item__type == 'floats'):
                        raise Invalid
                if "default" in data_item_keys:
                    data_item_keys.remove("default")
                    data_item__default = data_item["default"]
                if "values" in data_item_keys:
                    data_item_keys.remove("values")
                    data_item__values = data_item["values"]
                    if not isinstance(data_item__values, (list, tuple)):
                        raise Invalid
                    data_item__values_is_list = isinstance(data_item__values, (list, tuple))
                    if data_item__values_is_list:
                        data_item__values_len = len(data_item__values)
                        if data_item__values_len < 1:
                            raise Invalid
                        def fn(var): return frozenset(dict((k, fn(v)) for k, v in var.items()).items()) if hasattr(var, "items") else tuple(fn(v) for v in var) if isinstance(var, (dict, list)) else (bool, var) if isinstance(var, bool) else var
                        if data_item__values_len > len(set(fn(data_item__values_x) for data_item__values_x in data_item__values)):
                            raise Invalid
                if "min" in data_item_keys:
                    data_item_keys.remove("min")
                    data_item__min = data_item["min"]
                    if not isinstance(data_item__min, (int, float)) or isinstance(data_item__min, bool):
                        raise Invalid
                if "max" in data_item_keys:
                    data_item_keys.remove("max")
                    data_item__max = data_item["max"]
                    if not isinstance(data_item__max, (int, float)) or isinstance(data_item__max, bool):
                        raise Invalid
                if "dynamic" in data_item_keys:
                    data_item_keys.remove("dynamic")
                    data_item__dynamic = data_item["dynamic"]
                    _check_dynamic(data_item__dynamic)
                if "doc" in data_item_keys:
                    data_item_keys.remove("doc")
                    data_item__doc = data_item["doc"]
                    _check_doc(data_item__doc)
                if data_item_keys:
                    raise Invalid
    return data

def _check_dynamic(data):
    if not isinstance(data, (bool)):
        raise Invalid
    return data

def _check_dtypelist(data):
    if not isinstance(data, (list, tuple)):
        raise Invalid
    data_is_list = isinstance(data, (list, tuple))
    if data_is_list:
        data_len = len(data)
        if data_len < 1:
            raise Invalid
        def fn(var): return frozenset(dict((k, fn(v)) for k, v in var.items()).items()) if hasattr(var, "items") else tuple(fn(v) for v in var) if isinstance(var, (dict, list)) else (bool, var) if isinstance(var, bool) else var
        if data_len > len(set(fn(data_x) for data_x in data)):
            raise Invalid
        for data_x, data_item in enumerate(data):
            _check_dtype(data_item)
    return data

def _check_outputs(data):
    if not isinstance(data, (list, tuple)):
        raise Invalid
    data_is_list = isinstance(data, (list, tuple))
    if data_is_list:
        data_len = len(data)
        if data_len < 1:
            raise Invalid
        for data_x, data_item in enumerate(data):
            if not isinstance(data_item, (dict)):
                raise Invalid
            data_item_is_dict = isinstance(data_item, dict)
            if data_item_is_dict:
                data_item__missing_keys = set(['name']) - data_item.keys()
                if data_item__missing_keys:
                    raise Invalid
                data_item_keys = set(data_item.keys())
                if "name" in data_item_keys:
                    data_item_keys.remove("name")
                    data_item__name = data_item["name"]
                    _check_tensorname(data_item__name)
                if "dtype" in data_item_keys:
                    data_item_keys.remove("dtype")
                    data_item__dtype = data_item["dtype"]
                    _check_tensortype(data_item__dtype)
                if "shape" in data_item_keys:
                    data_item_keys.remove("shape")
                    data_item__shape = data_item["shape"]
                    _check_shape(data_item__shape)
                if "inplace" in data_item_keys:
                    data_item_keys.remove("inplace")
                    data_item__inplace = data_item["inplace"]
                    if not isinstance(data_item__inplace, (bool)):
                        raise Invalid
                    if not (isinstance(data_item__inplace, bool) and data_item__inplace is True):
                        raise Invalid
                if "count" in data_item_keys:
                    data_item_keys.remove("count")
                    data_item__count = data_item["count"]
                    _check_count(data_item__count)
                if "doc" in data_item_keys:
                    data_item_keys.remove("doc")
                    data_item__doc = data_item["doc"]
                    _check_doc(data_item__doc)
                if data_item_keys:
                    raise Invalid
            try:
                data_item_is_dict = isinstance(data_item, dict)
                if data_item_is_dict:
                    data_item__missing_keys = set(['inplace']) - data_item.keys()
                    if data_item__missing_keys:
                        raise Invalid
            except Invalid:
                data_item_is_dict = isinstance(data_item, dict)
                if data_item_is_dict:
                    data_item__missing_keys = set(['dtype', 'shape']) - data_item.keys()
                    if data_item__missing_keys:
                        raise Invalid
            else:
                data_item_is_dict = isinstance(data_item, dict)
                if data_item_is_dict:
                    data_item_keys = set(data_item.keys())
                    if "dtype" in data_item_keys:
                        data_item_keys.remove("dtype")
                        data_item__dtype = data_item["dtype"]
                        raise Invalid
                    if "shape" in data_item_keys:
                        data_item_keys.remove("shape")
                        data_item__shape = data_item["shape"]
                        raise Invalid
                    if "count" in data_item_keys:
                        data_item_keys.remove("count")
                        data_item__count = data_item["count"]
                        raise Invalid
    return data

def _check_count(data):
    if not isinstance(data, (int, str)) or isinstance(data, bool):
        raise Invalid
    if isinstance(data, str):
        data_len = len(data)
        if data_len > 64:
            raise Invalid
        if not REGEX_PATTERNS['^[A-Za-z][A-Za-z0-9_]*$'].search(data):
            raise Invalid
    if isinstance(data, (int, float)) and not isinstance(data, bool):
        if data < 1:
            raise Invalid
        if data > 2147483647:
            raise Invalid
    return data

def _check_shape(data):
    if not isinstance(data, (list, tuple)):
        raise Invalid
    data_is_list = isinstance(data, (list, tuple))
    if data_is_list:
        data_len = len(data)
        if data_len > 8:
            raise Invalid
        for data_x, data_item in enumerate(data):
            if not isinstance(data_item, (int, str)) or isinstance(data_item, bool):
                raise Invalid
            if isinstance(data_item, str):
                data_item_len = len(data_item)
                if data_item_len < 1:
                    raise Invalid
                if data_item_len > 256:
                    raise Invalid
            if isinstance(data_item, (int, float)) and not isinstance(data_item, bool):
                if data_item < 1:
                    raise Invalid
                if data_item > 2147483647:
                    raise Invalid
    return data

def _check_tensortype(data):
    if not isinstance(data, (str)):
        raise Invalid
    if isinstance(data, str):
        data_len = len(data)
        if data_len > 64:
            raise Invalid
        if not REGEX_PATTERNS['^[A-Za-z][A-Za-z0-9_]*$'].search(data):
            raise Invalid
    return data

def _check_inputs(data):
    if not isinstance(data, (list, tuple)):
        raise Invalid
    data_is_list = isinstance(data, (list, tuple))
    if data_is_list:
        data_len = len(data)
        if data_len < 1:
            raise Invalid
        for data_x, data_item in enumerate(data):
            if not isinstance(data_item, (dict)):
                raise Invalid
            data_item_is_dict = isinstance(data_item, dict)
            if data_item_is_dict:
                data_item__missing_keys = set(['name', 'dtype', 'shape']) - data_item.keys()
                if data_item__missing_keys:
                    raise Invalid
                data_item_keys = set(data_item.keys())
                if "name" in data_item_keys:
                    data_item_keys.remove("name")
                    data_item__name = data_item["name"]
                    _check_tensorname(data_item__name)
                if "dtype" in data_item_keys:
                    data_item_keys.remove("dtype")
                    data_item__dtype = data_item["dtype"]
                    _check_tensortype(data_item__dtype)
                if "shape" in data_item_keys:
                    data_item_keys.remove("shape")
                    data_item__shape = data_item["shape"]
                    _check_shape(data_item__shape)
                if "default" in data_item_keys:
                    data_item_keys.remove("default")
                    data_item__default = data_item["default"]
                    if not isinstance(data_item__default, (int, float, bool)):
                        raise Invalid
                if "count" in data_item_keys:
                    data_item_keys.remove("count")
                    data_item__count = data_item["count"]
                    _check_count(data_item__count)
                if "min" in data_item_keys:
                    data_item_keys.remove("min")
                    data_item__min = data_item["min"]
                    _check_lowest(data_item__min)
                if "max" in data_item_keys:
                    data_item_keys.remove("max")
                    data_item__max = data_item["max"]
                    _check_highest(data_item__max)
                if "doc" in data_item_keys:
                    data_item_keys.remove("doc")
                    data_item__doc = data_item["doc"]
                    _check_doc(data_item__doc)
                if data_item_keys:
                    raise Invalid
    return data

def _check_highest(data):
    if not isinstance(data, (int, float, str)) or isinstance(data, bool):
        raise Invalid
    if isinstance(data, str):
        data_len = len(data)
        if data_len < 1:
            raise Invalid
        if data_len > 256:
            raise Invalid
    return data

def _check_lowest(data):
    if not isinstance(data, (int, float, str)) or isinstance(data, bool):
        raise Invalid
    if isinstance(data, str):
        data_len = len(data)
        if data_len < 1:
            raise Invalid
        if data_len > 256:
            raise Invalid
    return data

def _check_dims(data):
    if not isinstance(data, (dict)):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data_len = len(data)
        if data_len < 1:
            raise Invalid
        data_keys = set(data.keys())
        if "..." in data_keys:
            data_keys.remove("...")
            data__ = data["..."]
            if not isinstance(data__, (dict)):
                raise Invalid
            data___is_dict = isinstance(data__, dict)
            if data___is_dict:
                data____missing_keys = set(['default']) - data__.keys()
                if data____missing_keys:
                    raise Invalid
                data___keys = set(data__.keys())
                if "default" in data___keys:
                    data___keys.remove("default")
                    data____default = data__["default"]
                    if not isinstance(data____default, (list, tuple)):
                        raise Invalid
                    data____default_is_list = isinstance(data____default, (list, tuple))
                    if data____default_is_list:
                        data____default_len = len(data____default)
                        if data____default_len > 7:
                            raise Invalid
                        for data____default_x, data____default_item in enumerate(data____default):
                            if not isinstance(data____default_item, (int)) or isinstance(data____default_item, bool):
                                raise Invalid
                            if isinstance(data____default_item, (int, float)) and not isinstance(data____default_item, bool):
                                if data____default_item < 1:
                                    raise Invalid
                                if data____default_item > 2147483647:
                                    raise Invalid
                if "dynamic" in data___keys:
                    data___keys.remove("dynamic")
                    data____dynamic = data__["dynamic"]
                    _check_dynamic(data____dynamic)
                if "doc" in data___keys:
                    data___keys.remove("doc")
                    data____doc = data__["doc"]
                    _check_doc(data____doc)
                if data___keys:
                    raise Invalid
        for data_key in data_keys:
            if data_key not in ['...']:
                data_value = data.get(data_key)
                if not isinstance(data_value, (int, dict)) or isinstance(data_value, bool):
                    raise Invalid
                if isinstance(data_value, (int, float)) and not isinstance(data_value, bool):
                    if data_value < 1:
                        raise Invalid
                    if data_value > 2147483647:
                        raise Invalid
                data_value_is_dict = isinstance(data_value, dict)
                if data_value_is_dict:
                    data_value_keys = set(data_value.keys())
                    if "default" in data_value_keys:
                        data_value_keys.remove("default")
                        data_value__default = data_value["default"]
                        if not isinstance(data_value__default, (int)) or isinstance(data_value__default, bool):
                            raise Invalid
                        if isinstance(data_value__default, (int, float)) and not isinstance(data_value__default, bool):
                            if data_value__default < 1:
                                raise Invalid
                            if data_value__default > 2147483647:
                                raise Invalid
                    if "dynamic" in data_value_keys:
                        data_value_keys.remove("dynamic")
                        data_value__dynamic = data_value["dynamic"]
                        _check_dynamic(data_value__dynamic)
                    if "values" in data_value_keys:
                        data_value_keys.remove("values")
                        data_value__values = data_value["values"]
                        if not isinstance(data_value__values, (list, tuple)):
                            raise Invalid
                        data_value__values_is_list = isinstance(data_value__values, (list, tuple))
                        if data_value__values_is_list:
                            data_value__values_len = len(data_value__values)
                            if data_value__values_len < 1:
                                raise Invalid
                            def fn(var): return frozenset(dict((k, fn(v)) for k, v in var.items()).items()) if hasattr(var, "items") else tuple(fn(v) for v in var) if isinstance(var, (dict, list)) else (bool, var) if isinstance(var, bool) else var
                            if data_value__values_len > len(set(fn(data_value__values_x) for data_value__values_x in data_value__values)):
                                raise Invalid
                            for data_value__values_x, data_value__values_item in enumerate(data_value__values):
                                if not isinstance(data_value__values_item, (int)) or isinstance(data_value__values_item, bool):
                                    raise Invalid
                                if isinstance(data_value__values_item, (int, float)) and not isinstance(data_value__values_item, bool):
                                    if data_value__values_item < 1:
                                        raise Invalid
                                    if data_value__values_item > 2147483647:
                                        raise Invalid
                    if "min" in data_value_keys:
                        data_value_keys.remove("min")
                        data_value__min = data_value["min"]
                        if not isinstance(data_value__min, (int)) or isinstance(data_value__min, bool):
                            raise Invalid
                        if isinstance(data_value__min, (int, float)) and not isinstance(data_value__min, bool):
                            if data_value__min < 1:
                                raise Invalid
                            if data_value__min > 2147483647:
                                raise Invalid
                    if "max" in data_value_keys:
                        data_value_keys.remove("max")
                        data_value__max = data_value["max"]
                        if not isinstance(data_value__max, (int)) or isinstance(data_value__max, bool):
                            raise Invalid
                        if isinstance(data_value__max, (int, float)) and not isinstance(data_value__max, bool):
                            if data_value__max < 1:
                                raise Invalid
                            if data_value__max > 2147483647:
                                raise Invalid
                    if "multiple_of" in data_value_keys:
                        data_value_keys.remove("multiple_of")
                        data_value__multipleof = data_value["multiple_of"]
                        if not isinstance(data_value__multipleof, (int)) or isinstance(data_value__multipleof, bool):
                            raise Invalid
                        if isinstance(data_value__multipleof, (int, float)) and not isinstance(data_value__multipleof, bool):
                            if data_value__multipleof < 1:
                                raise Invalid
                            if data_value__multipleof > 2147483647:
                                raise Invalid
                    if "doc" in data_value_keys:
                        data_value_keys.remove("doc")
                        data_value__doc = data_value["doc"]
                        _check_doc(data_value__doc)
                    if data_value_keys:
                        raise Invalid
                try:
                    if not isinstance(data_value, (dict)):
                        raise Invalid
                    try:
                        data_value_is_dict = isinstance(data_value, dict)
                        if data_value_is_dict:
                            data_value__missing_keys = set(['values']) - data_value.keys()
                            if data_value__missing_keys:
                                raise Invalid
                    except Invalid: pass
                    else:
                        raise Invalid
                except Invalid:
                    pass
                else:
                    data_value_is_dict = isinstance(data_value, dict)
                    if data_value_is_dict:
                        data_value__missing_keys = set(['default']) - data_value.keys()
                        if data_value__missing_keys:
                            raise Invalid
        if data_len != 0:
            data_property_names = True
            for data_key in data:
                try:
                    if isinstance(data_key, str):
                        data_key_len = len(data_key)
                        if data_key_len > 64:
                            raise Invalid
                        if not REGEX_PATTERNS['^(\\.\\.\\.|[A-Z][A-Za-z0-9]*)$'].search(data_key):
                            raise Invalid
                except Invalid:
                    data_property_names = False
            if not data_property_names:
                raise Invalid
    return data

def _check_dtypes(data):
    if not isinstance(data, (dict, list, tuple)):
        raise Invalid
    data_is_list = isinstance(data, (list, tuple))
    if data_is_list:
        data_len = len(data)
        if data_len < 1:
            raise Invalid
        for data_x, data_item in enumerate(data):
            if not isinstance(data_item, (dict)):
                raise Invalid
            data_item_is_dict = isinstance(data_item, dict)
            if data_item_is_dict:
                data_item_len = len(data_item)
                if data_item_len < 1:
                    raise Invalid
                data_item_keys = set(data_item.keys())
                for data_item_key in data_item_keys:
                    if data_item_key not in []:
                        data_item_value = data_item.get(data_item_key)
                        if not isinstance(data_item_value, (str, list, tuple)):
                            raise Invalid
                        try:
                            if not isinstance(data_item_value, (str)):
                                raise Invalid
                        except Invalid:
                            _check_dtypelist(data_item_value)
                        else:
                            _check_dtype(data_item_value)
                if data_item_len != 0:
                    data_item_property_names = True
                    for data_item_key in data_item:
                        try:
                            if isinstance(data_item_key, str):
                                data_item_key_len = len(data_item_key)
                                if data_item_key_len > 64:
                                    raise Invalid
                                if not REGEX_PATTERNS['^[A-Z][A-Za-z0-9]*$'].search(data_item_key):
                                    raise Invalid
                        except Invalid:
                            data_item_property_names = False
                    if not data_item_property_names:
                        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data_len = len(data)
        if data_len < 1:
            raise Invalid
        data_keys = set(data.keys())
        for data_key in data_keys:
            if data_key not in []:
                data_value = data.get(data_key)
                _check_dtypelist(data_value)
        if data_len != 0:
            data_property_names = True
            for data_key in data:
                try:
                    if isinstance(data_key, str):
                        data_key_len = len(data_key)
                        if data_key_len > 64:
                            raise Invalid
                        if not REGEX_PATTERNS['^[A-Z][A-Za-z0-9]*$'].search(data_key):
                            raise Invalid
                except Invalid:
                    data_property_names = False
            if not data_property_names:
                raise Invalid
    return data

def _check_summary(data):
    if not isinstance(data, (dict)):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['en', 'zh']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if "en" in data_keys:
            data_keys.remove("en")
            data__en = data["en"]
            if not isinstance(data__en, (str)):
                raise Invalid
            if isinstance(data__en, str):
                data__en_len = len(data__en)
                if data__en_len < 1:
                    raise Invalid
        if "zh" in data_keys:
            data_keys.remove("zh")
            data__zh = data["zh"]
            if not isinstance(data__zh, (str)):
                raise Invalid
            if isinstance(data__zh, str):
                data__zh_len = len(data__zh)
                if data__zh_len < 1:
                    raise Invalid
        if data_keys:
            raise Invalid
    return data

def _check_name(data):
    if not isinstance(data, (str)):
        raise Invalid
    if isinstance(data, str):
        data_len = len(data)
        if data_len > 64:
            raise Invalid
        if not REGEX_PATTERNS['^[a-z][a-z0-9]*(_[a-z0-9]+)*$'].search(data):
            raise Invalid
    return data

def _check_operator(data):
    if not isinstance(data, (dict)):
        raise Invalid
    _check_complete(data)
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['summary']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if "op" in data_keys:
            data_keys.remove("op")
            data__op = data["op"]
            _check_op(data__op)
        if "name" in data_keys:
            data_keys.remove("name")
            data__name = data["name"]
            _check_name(data__name)
        if "summary" in data_keys:
            data_keys.remove("summary")
            data__summary = data["summary"]
            _check_summary(data__summary)
        if "dtypes" in data_keys:
            data_keys.remove("dtypes")
            data__dtypes = data["dtypes"]
            _check_dtypes(data__dtypes)
        if "dims" in data_keys:
            data_keys.remove("dims")
            data__dims = data["dims"]
            _check_dims(data__dims)
        if "inputs" in data_keys:
            data_keys.remove("inputs")
            data__inputs = data["inputs"]
            _check_inputs(data__inputs)
        if "outputs" in data_keys:
            data_keys.remove("outputs")
            data__outputs = data["outputs"]
            _check_outputs(data__outputs)
        if "attrs" in data_keys:
            data_keys.remove("attrs")
            data__attrs = data["attrs"]
            _check_attrs(data__attrs)
        if "compute" in data_keys:
            data_keys.remove("compute")
            data__compute = data["compute"]
            _check_compute(data__compute)
        if "kernel" in data_keys:
            data_keys.remove("kernel")
            data__kernel = data["kernel"]
            _check_kernel(data__kernel)
        if "reference" in data_keys:
            data_keys.remove("reference")
            data__reference = data["reference"]
            _check_reference(data__reference)
        if "tiling" in data_keys:
            data_keys.remove("tiling")
            data__tiling = data["tiling"]
            _check_tiling(data__tiling)
        if "tests" in data_keys:
            data_keys.remove("tests")
            data__tests = data["tests"]
            _check_tests(data__tests)
        if "notes" in data_keys:
            data_keys.remove("notes")
            data__notes = data["notes"]
            _check_notes(data__notes)
        if "ignore" in data_keys:
            data_keys.remove("ignore")
            data__ignore = data["ignore"]
            _check_ignore(data__ignore)
        if data_keys:
            raise Invalid
    return data

def _check_op(data):
    if not isinstance(data, (str)):
        raise Invalid
    if isinstance(data, str):
        data_len = len(data)
        if data_len > 64:
            raise Invalid
        if not REGEX_PATTERNS['^[A-Z][A-Za-z0-9]*$'].search(data):
            raise Invalid
    return data
